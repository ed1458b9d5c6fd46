import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { requireReleasable } from '../../../hack/release/checkout.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const READY = { tag: 'v1.2.3', isTagged: false, isClean: true, canRender: true };

it('a release begins on a clean checkout without its tag, where the manifests can be rendered', () => {
  expect(() => {
    requireReleasable(READY);
  }).not.toThrow();
});

it.each([
  [{ isTagged: true }, /the tag v1\.2\.3 exists/],
  [{ isClean: false }, /not clean/],
  [{ canRender: false }, /kubectl 1\.27 or newer/],
])('a release is refused with %j', (change, problem) => {
  expect(() => {
    requireReleasable({ ...READY, ...change });
  }).toThrow(problem);
});

it.each([
  [['prepare', '--dry-run', '--version=-h'], /^release: VERSION must be like/],
  [['prepare', '--dry-run', '--version', '-h'], /^release: usage: /],
  [['files', '--image=--help'], /^release: IMAGE must be like/],
  [['--other'], /^release: usage: /],
])('says in one line what is wrong with %j', (given, message) => {
  const { status, stderr } = spawnSync(process.execPath, ['hack/release.ts', ...given], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect([status, stderr.trim().split('\n').length]).toEqual([1, 1]);
  expect(stderr).toMatch(message);
});

describe('make', () => {
  it('has values from outside in the environment, where the shell runs nothing of them', () => {
    const hostile = 'v1";echo hostile;"';
    const values = ['VERSION', 'TAG', 'IMAGE', 'DRY_RUN', 'MUTANT'].map((name) => `${name}=${hostile}`);
    const targets = ['release', 'release-tag', 'release-files', 'release-image', 'image', 'test-mutations'];
    const { stdout } = spawnSync('make', ['--dry-run', ...values, ...targets], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect(stdout).toContain('--version=$VERSION');
    expect(stdout).not.toContain('hostile');
  });

  it.each(['v0.0.0', 'v0";exit 0;"', '$(exit 0)'])('refuses to release the tag %j', (tag) => {
    const { status, stdout } = spawnSync('make', ['release-tag'], {
      cwd: ROOT,
      encoding: 'utf8',
      env: { ...process.env, TAG: tag },
    });
    expect(status).toBe(2);
    expect(stdout).toContain('the tag is not v and the version');
  });
});
