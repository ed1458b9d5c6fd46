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

it.each([
  ["export { a } from 'one';", 'imports one other than by an import declaration'],
  ["export * from 'one';", 'imports one other than by an import declaration'],
  ["const load = () => import('one');", 'imports one other than by an import declaration'],
  ['const load = (name) => import(name);', 'imports what is computed at run time'],
])('refuses %s, whose names or package it cannot read', (text, problem) => {
  expect(() => importsOf(text)).toThrow(`0.js ${problem}`);
});
