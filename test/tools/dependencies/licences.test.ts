import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ALLOWED, checkLicences } from '../../../hack/dependencies/licences.ts';
import { isAllowed } from '../../../hack/dependencies/spdx.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'licences-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

interface Installed {
  readonly lock?: object;
  /** Its package.json; undefined when it is not installed. */
  readonly manifest: object | undefined;
}

function install(packages: Readonly<Record<string, Installed>>): void {
  const entries = Object.entries(packages);
  const lock = Object.fromEntries(entries.map(([name, { lock = {} }]) => [`node_modules/${name}`, lock]));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...lock } }));
  for (const [name, { manifest }] of entries) {
    if (manifest === undefined) continue;
    mkdirSync(join(folder, 'node_modules', name), { recursive: true });
    writeFileSync(join(folder, 'node_modules', name, 'package.json'), JSON.stringify(manifest));
  }
}

describe('the licences of what is shipped', () => {
  it.each(['.', 'web'])('are all on the list in %s', (project) => {
    const { checked, problems } = checkLicences(project);
    expect(problems).toEqual([]);
    expect(checked).toBeGreaterThan(10);
  });

  it.each<[what: string, manifest: object | undefined, problem: string]>([
    ['another licence', { license: 'GPL-3.0-only' }, 'GPL-3.0-only is not on the list'],
    ['none', {}, 'names no licence'],
    ['a blank one', { license: ' ' }, 'names no licence'],
    ['an own text', { license: 'SEE LICENSE IN LICENSE.md' }, 'SEE LICENSE IN LICENSE.md is not on the list'],
    ['a refusal', { license: 'UNLICENSED' }, 'UNLICENSED is not on the list'],
    ['an old object', { license: { type: 'AGPL-3.0' } }, 'AGPL-3.0 is not on the list'],
    [
      'an old list',
      { licenses: [{ type: 'GPL-2.0' }, { type: 'SSPL-1.0' }] },
      'GPL-2.0 OR SSPL-1.0 is not on the list',
    ],
    ['a package that is not installed', undefined, 'is not installed; run `make setup`'],
  ])('fail for %s', (_what, manifest, problem) => {
    install({ good: { manifest: { license: 'MIT' } }, '@scope/bad': { manifest } });
    expect(checkLicences(folder)).toEqual({ checked: 2, problems: [`node_modules/@scope/bad: ${problem}`] });
  });

  it('hold for the forms that old packages use', () => {
    install({
      one: { manifest: { license: { type: 'MIT' } } },
      other: { manifest: { licenses: [{ type: 'GPL-2.0' }, { type: 'MIT' }] } },
    });
    expect(checkLicences(folder)).toEqual({ checked: 2, problems: [] });
  });

  it('look at nothing that the image leaves out', () => {
    const manifest = { license: 'GPL-3.0-only' };
    install({
      tool: { lock: { dev: true }, manifest },
      runtime: { lock: { optional: true }, manifest },
      either: { lock: { devOptional: true }, manifest: undefined },
    });
    expect(checkLicences(folder)).toEqual({ checked: 0, problems: [] });
  });

  it('cannot be judged without a lock file of a known form', () => {
    writeFileSync(join(folder, 'package-lock.json'), '{"dependencies": {}}');
    expect(() => checkLicences(folder)).toThrow('package-lock.json has no packages');
  });
});

describe('a licence expression', () => {
  it.each([
    'MIT',
    '(MIT)',
    'MIT OR GPL-3.0-only',
    'GPL-3.0-only OR MIT',
    '(GPL-3.0-only OR (MIT AND ISC))',
    'MIT AND Apache-2.0',
    'GPL-3.0-only AND ISC OR MIT',
  ])('%s can be met', (expression) => {
    expect(isAllowed(expression, ALLOWED)).toBe(true);
  });

  it.each([
    '',
    'GPL-3.0-only',
    'MIT AND GPL-3.0-only',
    'GPL-3.0-only AND (MIT OR ISC)',
    'MIT GPL-3.0-only',
    'MIT OR',
    'AND MIT',
    '(MIT',
    'MIT)',
    '()',
    'MIT WITH an-exception',
    'mit',
  ])('%j cannot', (expression) => {
    expect(isAllowed(expression, ALLOWED)).toBe(false);
  });

  it('can name an exception', () => {
    const allowed = new Set(['GPL-2.0-only WITH Classpath-exception-2.0']);
    expect(isAllowed('GPL-2.0-only WITH Classpath-exception-2.0', allowed)).toBe(true);
    expect(isAllowed('GPL-2.0-only', allowed)).toBe(false);
  });
});
