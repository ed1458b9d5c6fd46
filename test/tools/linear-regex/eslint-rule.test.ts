import { ESLint, Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { expect, it } from 'vitest';
import { linear } from '../../../hack/linear-regex/eslint-rule.ts';

const linter = new Linter();
const found = (code: string) =>
  linter
    .verify(
      code,
      [
        {
          files: ['**/*.ts'],
          languageOptions: {
            parser: tseslint.parser,
            parserOptions: { tsconfigRootDir: import.meta.dirname },
          },
          plugins: { 'linear-regex': { rules: { linear } } },
          rules: { 'linear-regex/linear': 'error' },
        },
      ],
      'a.ts',
    )
    .map(({ message }) => message);

it.each([
  ['a literal', String.raw`export const cut = (text: string) => text.replace(/\/+$/, '');`],
  ['a literal with flags', 'export const pattern = /(?:a|A)*$/i;'],
  ['new RegExp of a text', "export const pattern = new RegExp('^(a+)+$');"],
  ['new RegExp of a template', 'export const pattern = new RegExp(`^(?:a|A)*$`, "i");'],
  ['RegExp without new', String.raw`export const pattern = RegExp('\\s+$');`],
])('%s that is not linear is found', (_what, code) => {
  expect(found(code)).toEqual([expect.stringMatching(/^This pattern is (?:not linear|exponential)/)]);
});

it.each([
  ['new RegExp of anything else', 'export const of = (text: string) => new RegExp(text);'],
  ['new RegExp of a template with a place', 'export const of = (text: string) => new RegExp(`^${text}`);'],
  ['flags that are computed', "export const of = (flags: string) => new RegExp('a', flags);"],
  ['a text where a pattern is wanted', "export const has = 'aaa'.match('(a+)+$');"],
])('%s is refused, since nothing can be proved of it', (_what, code) => {
  expect(found(code)).toEqual([expect.stringMatching(/^A pattern that is computed/)]);
});

it('linear patterns pass', () => {
  expect(
    found("export const ok = [/^[a-z]+$/, new RegExp('^a+$'), 'a'.match(/b/), 'a'.split(',')];"),
  ).toEqual([]);
});

const ROOT = new URL('../../../', import.meta.url).pathname;

it.each([
  ['', 'src/main.ts'],
  ['', 'hack/run.ts'],
  ['', 'vitest.config.ts'],
  ['web/', 'src/main.tsx'],
  ['web/', 'scripts/client-types.ts'],
  ['web/', 'scripts/compress.mjs'],
  ['web/', 'vite.config.ts'],
])('in %s the lint of %s has the rule', async (folder, file) => {
  const config = (await new ESLint({ cwd: `${ROOT}${folder}` }).calculateConfigForFile(
    file,
  )) as Linter.Config;
  expect(config.rules?.['linear-regex/linear']).toEqual([2]);
});
