import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bundledNames, bundledPackages } from '../../../hack/dependencies/bundled.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bundled-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

it('lists the packages of which a build holds code, with their versions and where they were installed', () => {
  for (const path of ['a', '@scope/b', 'a/node_modules/c']) {
    const home = join(folder, 'dist/node_modules', path);
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'package.json'), JSON.stringify({ name: path.slice(-1), version: '1.2.3' }));
  }
  expect(bundledPackages(folder).map(({ path }) => path)).toEqual([
    ...['node_modules/@scope/b', 'node_modules/a/node_modules/c', 'node_modules/a'],
  ]);
  expect([...bundledNames(folder)].toSorted()).toEqual(['a@1.2.3', 'b@1.2.3', 'c@1.2.3']);
});

it('takes no build for a service without packages', () => {
  expect(() => bundledPackages(folder)).toThrow('npm run build:service');
});
