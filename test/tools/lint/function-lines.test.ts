import { RuleTester } from 'oxlint/plugins-dev';
import { describe, it } from 'vitest';
import { functionLines, MAX_FUNCTION_LINES } from '../../../hack/lint/function-lines.ts';

RuleTester.describe = describe;
RuleTester.it = it;

const body = (lines: number) => '\n'.repeat(lines - 1);
const FUNCTIONS: readonly ((lines: number) => string)[] = [
  (lines) => `function f() {${body(lines)}}`,
  (lines) => `class A { m() {${body(lines)}} }`,
  (lines) => `const f = () => {${body(lines)}};`,
  (lines) => `it('x', () => {${body(lines)}});`,
];
const LISTS_OF_TESTS = ['describe', 'describe.skip', 'describe.each([1])', 'describe.each`a`'];

new RuleTester().run('a function is at most 60 lines, but for the callback of a describe', functionLines, {
  valid: [
    ...FUNCTIONS.map((of) => of(MAX_FUNCTION_LINES)),
    ...LISTS_OF_TESTS.map((callee) => `${callee}('x', () => {${body(200)}});`),
  ],
  invalid: FUNCTIONS.map((of) => ({ code: of(MAX_FUNCTION_LINES + 1), errors: [{ messageId: 'long' }] })),
});
