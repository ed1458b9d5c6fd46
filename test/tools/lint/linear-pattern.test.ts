import { RuleTester } from 'oxlint/plugins-dev';
import { describe, it } from 'vitest';
import { linearPattern } from '../../../hack/lint/linear-pattern.ts';

RuleTester.describe = describe;
RuleTester.it = it;

new RuleTester({ languageOptions: { parserOptions: { lang: 'ts' } } }).run(
  'each pattern is proved linear in the text',
  linearPattern,
  {
    valid: [
      "export const ok = [/^[a-z]+$/, new RegExp('^a+$'), 'a'.match(/b/), 'a'.split(',')];",
      "const PATTERN = /^a$/; export const of = (text: string) => [text.match(PATTERN), other.match('a', 1)];",
    ],
    invalid: [
      ...[
        String.raw`export const cut = (text: string) => text.replace(/\/+$/, '');`,
        'export const pattern = /(?:a|A)*$/i;',
        "export const pattern = new RegExp('^(a+)+$');",
        'export const pattern = new RegExp(`^(?:a|A)*$`, "i");',
        String.raw`export const pattern = RegExp('\\s+$');`,
        'const PATTERN = /(?:a|A)*$/i; export const of = (text: string) => text.match(PATTERN);',
      ].map((code) => ({
        code,
        errors: [{ message: /^This pattern is (?:not linear|exponential)/ }],
      })),
      ...[
        'export const of = (text: string) => new RegExp(text);',
        'export const of = (text: string) => new RegExp(`^${text}`);',
        "export const of = (flags: string) => new RegExp('a', flags);",
        "export const has = 'aaa'.match('(a+)+$');",
        'export const has = (text: string, pattern: string) => text.search(pattern);',
        "const PATTERN = '(a+)+$'; export const of = (text: string) => text.matchAll(PATTERN);",
        'let pattern = /a/; export const of = (text: string) => text.match(pattern);',
        'const PATTERN = /a/; export const of = (text: string, PATTERN: string) => text.match(PATTERN);',
        "import { pattern } from './a.ts'; export const of = (text: string) => text.match(pattern);",
      ].map((code) => ({ code, errors: [{ messageId: 'computed' }] })),
    ],
  },
);
