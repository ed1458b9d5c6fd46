import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

// hack/base-images with a docker that only returns a digest.

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));
const DIGEST = `sha256:${'a'.repeat(64)}`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'base-images-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function resolve(digest: string, variables: Readonly<Record<string, string>> = {}) {
  writeFileSync(
    path.join(folder, 'docker'),
    `#!/bin/sh\necho "$4" >> "${folder}/inspected"\necho "${digest}"\n`,
    {
      mode: 0o755,
    },
  );
  const { PATH = '' } = process.env;
  const env = { PATH: `${folder}:${PATH}`, GITHUB_OUTPUT: path.join(folder, 'outputs'), ...variables };
  return spawnSync(path.join(PROJECT, 'hack/base-images'), { encoding: 'utf8', env });
}

const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');

it('prints the base images of the Dockerfile by digest, also to the outputs of a step', () => {
  const { status, stdout } = resolve(DIGEST);
  const images = ['docker.io/library/node:24-bookworm-slim', 'gcr.io/distroless/cc-debian12:nonroot'];
  expect(status).toBe(0);
  expect(stdout).toBe(
    `NODE_IMAGE=${images[0] ?? ''}@${DIGEST}\nRUNTIME_IMAGE=${images[1] ?? ''}@${DIGEST}\n`,
  );
  expect(read('outputs')).toBe(stdout);
  expect(read('inspected')).toBe(`${images.join('\n')}\n`);
});

it('leaves an image as it is that has a digest', () => {
  const NODE_IMAGE = `mirror.example.com/node@sha256:${'b'.repeat(64)}`;
  expect(resolve(DIGEST, { NODE_IMAGE }).stdout).toContain(`NODE_IMAGE=${NODE_IMAGE}\n`);
});

it.each(['', 'sha256:short', 'latest'])(
  'fails where the registry returns %j in place of a digest',
  (digest) => {
    const { status, stderr } = resolve(digest);
    expect(status).toBe(1);
    expect(stderr).toContain('names no digest of docker.io/library/node:24-bookworm-slim');
  },
);
