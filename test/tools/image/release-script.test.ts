import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

// hack/release-image with tools that only say how they were called, in a copy of its folder.

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));
const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;
const IMAGE = 'registry.example.com/secrets-management-service';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'release-'));
  put('hack/release-image', readFileSync(path.join(PROJECT, 'hack/release-image'), 'utf8'));
  put('package.json', '{\n  "version": "1.2.3",\n}\n');
  put('release/.keep', '');
  // What the script needs of a system, and nothing that is installed beside it.
  for (const tool of ['dirname', 'sed']) symlinkSync(`/usr/bin/${tool}`, path.join(folder, 'bin', tool));
  for (const tool of ['make', 'cosign']) put(`bin/${tool}`, `#!/bin/sh\necho "${tool} $*"\n`);
  putDocker(DIGEST);
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function put(file: string, text: string): void {
  const target = path.join(folder, file);
  spawnSync('mkdir', ['-p', path.join(folder, 'bin'), path.dirname(target)]);
  writeFileSync(target, text, { mode: 0o755 });
}

function putDocker(digest: string): void {
  const script = `#!/bin/sh\nif [ "$3" = inspect ]; then echo "${digest}"; else echo "docker $*"; fi\n`;
  put('bin/docker', script);
}

function release(variables: Readonly<Record<string, string>>) {
  const env = { PATH: path.join(folder, 'bin'), ...variables };
  return spawnSync('/bin/sh', [path.join(folder, 'hack/release-image')], { encoding: 'utf8', env });
}

it('joins both platforms, writes the files, and signs and attests by digest', () => {
  const output = path.join(folder, 'output');
  const { status, stdout } = release({ IMAGE, TAG: 'commit', GITHUB_OUTPUT: output });
  expect(status).toBe(0);
  expect(stdout.trim().split('\n')).toEqual([
    `docker buildx imagetools create --tag ${IMAGE}:1.2.3 ${IMAGE}:commit-amd64 ${IMAGE}:commit-arm64`,
    `make release-files IMAGE=${IMAGE}@${DIGEST}`,
    `cosign sign --yes ${IMAGE}@${DIGEST}`,
    `cosign attest --yes --type cyclonedx --predicate release/sbom.cdx.json ${IMAGE}@${DIGEST}`,
    `${IMAGE}@${DIGEST}`,
  ]);
  expect(readFileSync(path.join(folder, 'release/image'), 'utf8')).toBe(`${IMAGE}@${DIGEST}\n`);
  expect(readFileSync(output, 'utf8')).toBe(`digest=${DIGEST}\n`);
});

it.each(['docker', 'cosign'])('publishes nothing without %s, and says so', (tool) => {
  rmSync(path.join(folder, 'bin', tool));
  const { status, stdout, stderr } = release({ IMAGE });
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toBe(`release-image: ${tool} is not installed. Nothing was published\n`);
});

it('signs nothing when the registry names no digest', () => {
  putDocker('');
  const { status, stdout } = release({ IMAGE });
  expect(status).toBe(1);
  expect(stdout).not.toContain('cosign');
});

it('needs the name of the image', () => {
  const { status, stderr } = release({});
  expect(status).not.toBe(0);
  expect(stderr).toContain('set IMAGE');
});
