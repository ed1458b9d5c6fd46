import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { LOGIN_FAILURES } from '../../../src/auth/login/login-failure.ts';
import { IDP_ERRORS } from '../../../src/contract/login-errors.ts';

const page = readFileSync(new URL('../../../docs/sign-in.md', import.meta.url), 'utf8');

/** The codes that the list below a heading explains. */
function codesBelow(heading: string): readonly string[] {
  const section = page.split(`\n### ${heading}\n`)[1]?.split(/\n##+ /)[0] ?? '';
  return [...section.matchAll(/^- `([a-z_]+)`: \S/gm)].map(([, code]) => code ?? '');
}

describe('docs/sign-in.md', () => {
  test('has a cure for every idp_error, and for no other', () => {
    expect(codesBelow('`idp_error`')).toEqual([...IDP_ERRORS]);
  });

  test('explains every code of the log line, and no other', () => {
    expect(codesBelow('`code` in the log line')).toEqual(Object.keys(LOGIN_FAILURES));
  });
});
