import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

// hack/image with engines that only say how they were called.

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));
const { version } = JSON.parse(readFileSync(`${PROJECT}package.json`, 'utf8')) as { version: string };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'engines-'));
  for (const engine of ['docker', 'podman', 'buildah']) put(engine, false);
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** An engine whose daemon answers, or does not. */
function put(engine: string, works: boolean): void {
  const script = `#!/bin/sh\nif [ "$1" = build ]; then echo "${engine} $*"; else exit ${works ? 0 : 1}; fi\n`;
  writeFileSync(path.join(folder, engine), script, { mode: 0o755 });
}

function build(variables: Readonly<Record<string, string>> = {}) {
  const { PATH = '' } = process.env;
  const env = { PATH: `${folder}:${PATH}`, ...variables };
  return spawnSync(path.join(PROJECT, 'hack/image'), { encoding: 'utf8', env });
}

it('builds with the first engine that works, under the version of package.json', () => {
  put('podman', true);
  put('buildah', true);
  const { status, stdout } = build();
  expect(status).toBe(0);
  expect(stdout).toMatch(/^podman build --format docker --file Dockerfile --target service /m);
  expect(stdout).toContain(`--tag secrets-management-service:${version} --build-arg VERSION=${version} `);
  expect(stdout).toMatch(/--build-arg REVISION=([0-9a-f]{40}|unknown) \.$/m);
});

it('takes the engine, the name, the version and the stage that are requested', () => {
  put('docker', true);
  put('buildah', true);
  const { stdout } = build({ ENGINE: 'buildah', IMAGE: 'a/b', VERSION: '9', TARGET: 'e2e-idp' });
  expect(stdout).toMatch(/^buildah build .*--file Dockerfile --target e2e-idp --tag a\/b:9 .*VERSION=9/m);
});

it('builds on other base images where they are requested, each for itself', () => {
  const script = '#!/bin/sh\n[ "$1" != build ] || grep ^FROM "$5"\n';
  writeFileSync(path.join(folder, 'podman'), script, { mode: 0o755 });
  const fromsOf = (variables: Readonly<Record<string, string>>): readonly string[] =>
    build(variables).stdout.match(/^FROM .*/gm) ?? [];
  const own = readFileSync(`${PROJECT}Dockerfile`, 'utf8').match(/^FROM .*/gm) ?? [];
  const NODE_IMAGE = 'mirror.example.com/node@sha256:1';
  const RUNTIME_IMAGE = 'mirror.example.com/cc@sha256:2';
  const [node, libraries] = [`FROM ${NODE_IMAGE} AS node`, `FROM ${RUNTIME_IMAGE} AS libraries`];
  expect(fromsOf({ NODE_IMAGE })).toEqual([node, ...own.slice(1)]);
  expect(fromsOf({ NODE_IMAGE, RUNTIME_IMAGE })).toEqual([node, libraries, ...own.slice(2)]);
});

it('takes the packages from a mirror, and passes credentials and authority as secrets, in folders of any name', () => {
  const script = '#!/bin/sh\n[ "$1" != build ] || printf "%s\\n" "$@"\n';
  writeFileSync(path.join(folder, 'buildah'), script, { mode: 0o755 });
  const { stdout } = build({
    ENGINE: 'buildah',
    NPM_REGISTRY: 'https://npm.example.com/a;b/',
    NPMRC: '/home/a b/.npmrc',
    CA_FILE: '/etc/$(ca)/ca.pem',
  });
  expect(stdout.split('\n').slice(-9, -1)).toEqual([
    '--build-arg',
    'NPM_CONFIG_REGISTRY=https://npm.example.com/a;b/',
    '--secret',
    'id=npmrc,src=/home/a b/.npmrc',
    '--secret',
    'id=ca,src=/etc/$(ca)/ca.pem',
    '.',
    `secrets-management-service:${version}`,
  ]);
});

it('builds for another platform under another tag, and pushes after a login whose token is on no command line', () => {
  const said = `if [ "$1" = login ]; then echo "login $* token=$(cat)"; else echo "docker $*"; fi`;
  writeFileSync(path.join(folder, 'docker'), `#!/bin/sh\n${said}\n`, { mode: 0o755 });
  const registry = { REGISTRY_USER: 'someone', REGISTRY_TOKEN: 'a-token' };
  const IMAGE = 'registry.example.com/a';
  const { stdout } = build({ IMAGE, TAG: 'b-arm64', PLATFORM: 'linux/arm64', PUSH: '1', ...registry });
  expect(stdout).toContain(`--tag ${IMAGE}:b-arm64 --build-arg VERSION=${version} `);
  expect(stdout).toContain(' --platform linux/arm64 .');
  expect(stdout.split('\n').slice(-4)).toEqual([
    'login login --username someone --password-stdin registry.example.com token=a-token',
    `docker push ${IMAGE}:b-arm64`,
    `${IMAGE}:b-arm64`,
    '',
  ]);
});

it('says what to install when no engine works, and what to do without one', () => {
  const { status, stdout, stderr } = build();
  expect(status).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/docker, podman and buildah[\s\S]*make image-check/);
});

it('does not fall back to another engine than the one that is requested', () => {
  put('docker', true);
  expect(build({ ENGINE: 'podman' }).status).toBe(2);
  expect(build({ ENGINE: 'rm' }).status).toBe(2);
});
