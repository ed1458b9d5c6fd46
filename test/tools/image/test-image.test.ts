import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

// hack/test-image with programs that only print how they were called.

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));
const BASES = [...readFileSync(`${PROJECT}Dockerfile`, 'utf8').matchAll(/^FROM (\S+@\S+)/gm)].map(
  ([, base = '']) => base,
);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'programs-'));
  put('npm', 'echo "npm $*"');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function put(program: string, script: string): void {
  writeFileSync(path.join(folder, program), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

function testImage(): string {
  const { status, stdout } = spawnSync(path.join(PROJECT, 'hack/test-image'), {
    encoding: 'utf8',
    env: { PATH: `${folder}:/usr/bin:/bin` },
  });
  expect(status).toBe(0);
  return stdout;
}

it('builds the image where buildah gets the base images', () => {
  put('buildah', `echo "$*" >> '${folder}/calls'; [ "$1" != build ] || echo "built $*"`);
  expect(testImage()).toMatch(/^built build .*--file Dockerfile --target service /m);
  const pulls = readFileSync(path.join(folder, 'calls'), 'utf8').match(/^pull .*/gm);
  expect(pulls).toEqual(BASES.map((base) => `pull --quiet ${base}`));
});

it.each([
  ['it does not run', '[ "$1" != info ]'],
  [`it cannot get ${BASES[1] ?? ''}`, '[ "$1" != pull ] || [ "$3" != "$BASE" ]'],
])('replays the steps where buildah does not build, and prints why: %s', (why, script) => {
  put('buildah', `BASE=${BASES[1] ?? ''}\n${script}`);
  expect(testImage()).toBe(
    `Replaying the steps of the image without buildah: ${why}\nnpm run --silent image:check\n`,
  );
});
