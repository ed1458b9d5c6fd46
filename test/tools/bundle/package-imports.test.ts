import { expect, it } from 'vitest';
import { packageImportsOf } from '../../../hack/bundle/package-imports.ts';

const importsOf = (...texts: readonly string[]) =>
  Object.fromEntries(packageImportsOf(new Map(texts.map((text, index) => [`${index}.js`, text]))));

it('collects the names that modules import from packages, and not their own files or what Node brings', () => {
  const found = importsOf(
    "import a, { b as c } from 'one'; import * as all from '@scope/two/part'; export { c };",
    "import { d } from 'one'; import './three.js'; import fs from 'node:fs'; import os from 'os'; import('./four.js');",
  );
  expect(found).toEqual({ one: new Set(['default', 'b', 'd']), '@scope/two/part': new Set(['*']) });
});

it('collects the members that are read of all that a package exports', () => {
  const found = importsOf("import * as z from 'one'; z.a(z.b.c);", "import * as y from 'one'; y.d;");
  expect(found).toEqual({ one: new Set(['a', 'b', 'd']) });
});

it.each([
  ['is passed on', 'f(z);'],
  ['is exported', 'export { z };'],
  ['has a member whose name is computed', 'z[name];'],
  ['is spread', '({ ...z });'],
])('collects everything that a package exports where the name for it %s', (_what, use) => {
  expect(importsOf(`import * as z from 'one'; z.a; ${use}`)).toEqual({ one: new Set(['*']) });
});

it.each([
  ["export { a } from 'one';", 'imports one other than by an import declaration'],
  ["export * from 'one';", 'imports one other than by an import declaration'],
  ["const load = () => import('one');", 'imports one other than by an import declaration'],
  ['const load = (name) => import(name);', 'imports what is computed at run time'],
])('refuses %s, whose names or package it cannot read', (text, problem) => {
  expect(() => importsOf(text)).toThrow(`0.js ${problem}`);
});
