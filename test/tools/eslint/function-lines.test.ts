import { Linter } from 'eslint';
import { describe, expect, it } from 'vitest';
import { functionLines, MAX_FUNCTION_LINES } from '../../../hack/eslint/function-lines.ts';

const linter = new Linter();
const problemsOf = (code: string) =>
  linter.verify(code, {
    plugins: { local: { rules: { functionLines } } },
    rules: { 'local/functionLines': 'error' },
  }).length;
const body = (lines: number) => '\n'.repeat(lines - 1);

describe('the limit of lines in a function', () => {
  it.each([
    ['a declaration', (lines: number) => `function f() {${body(lines)}}`],
    ['a method', (lines: number) => `class A { m() {${body(lines)}} }`],
    ['an arrow function', (lines: number) => `const f = () => {${body(lines)}};`],
    ['the callback of a test', (lines: number) => `it('x', () => {${body(lines)}});`],
  ])('is that of %s', (_what, code) => {
    expect(problemsOf(code(MAX_FUNCTION_LINES))).toBe(0);
    expect(problemsOf(code(MAX_FUNCTION_LINES + 1))).toBe(1);
  });

  it.each(['describe', 'describe.skip', 'describe.each([1])', 'describe.each`a`'])(
    'is not that of the callback of %s',
    (callee) => {
      expect(problemsOf(`${callee}('x', () => {${body(200)}});`)).toBe(0);
    },
  );
});
