import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expiredCookie, parseCookies, serializeCookie } from '../../../../src/auth/session/cookies.ts';

describe('a cookie that the service sets', () => {
  const cookie = { name: 'service_session', value: 'token', maxAgeSeconds: 28_800, secure: false };

  test('is HttpOnly, SameSite=Lax and valid for the whole host', () => {
    expect(serializeCookie(cookie)).toBe(
      'service_session=token; Max-Age=28800; Path=/; HttpOnly; SameSite=Lax',
    );
  });

  test('is Secure in production', () => {
    expect(serializeCookie({ ...cookie, secure: true })).toMatch(/; Secure$/);
  });

  test('is deleted by an age of zero and a date in the past', () => {
    expect(serializeCookie(expiredCookie('service_session', false))).toBe(
      'service_session=; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/; HttpOnly; SameSite=Lax',
    );
  });
});

/** What cannot be used is empty: that it was sent still matters. */
const UNUSABLE = [
  ['a', ''],
  ['b', '2'],
];

describe('reading the Cookie header', () => {
  test.each([
    ['nothing', undefined, []],
    ['an empty header', '', []],
    ['one pair', 'a=1', [['a', '1']]],
    [
      'several pairs with odd spaces',
      ' a=1;b=2 ;  c=3',
      [
        ['a', '1'],
        ['b', '2'],
        ['c', '3'],
      ],
    ],
    ['an equals sign in the value', 'a=1==', [['a', '1==']]],
    ['an empty value', 'a=', [['a', '']]],
    ['a pair without a name', '=1; a=1', [['a', '1']]],
    ['a pair without an equals sign', 'a; b=2', [['b', '2']]],
    ['a quoted value', 'a="1"; b=2', UNUSABLE],
    ['a value with a space inside', 'a=1 2; b=2', UNUSABLE],
    ['a value with a control character', 'a=1\u00012; b=2', UNUSABLE],
    ['a value beyond ASCII', 'a=é; b=2', UNUSABLE],
    ['a name with a separator', 'a[0]=1; b=2', [['b', '2']]],
    [
      'a name that every object has',
      '__proto__=1; constructor=2',
      [
        ['__proto__', '1'],
        ['constructor', '2'],
      ],
    ],
    // Browsers see no prefix in such a name, and so allow it to a sibling host.
    ['a name behind a space that is none', '\u00a0__Host-a=1; b=2', [['b', '2']]],
    ['a name before a space that is none', 'a\u00a0=1; b=2', [['b', '2']]],
    ['100,000 spaces before a name', `${' '.repeat(100_000)}a=1`, [['a', '1']]],
    ['100,000 spaces within a name', `a${' '.repeat(100_000)}a=1; b=2`, [['b', '2']]],
    ['a name between spaces and tabs', ' \ta \t=1', [['a', '1']]],
    ['the same pair twice', 'a=1; a=1', [['a', '1']]],
    ['a name with two values', 'a=1; b=2; a=3', UNUSABLE],
    ['a name with three values, two of them equal', 'a=1; a=2; a=1; b=2', UNUSABLE],
  ] as const)('%s', (_case, header, expected) => {
    expect([...parseCookies(header)]).toEqual(expected);
  });

  test('reads back whatever cookies were sent', () => {
    const name = fc.stringMatching(/^[A-Za-z0-9_.-]{1,20}$/);
    const value = fc.stringMatching(/^[A-Za-z0-9_.:~-]{0,40}$/);
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(name, value), { selector: ([key]) => key }), (pairs) => {
        const header = pairs.map(([key, given]) => `${key}=${given}`).join('; ');
        expect([...parseCookies(header)]).toEqual(pairs);
      }),
    );
  });

  test('never throws, whatever the header holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (header) => {
        for (const [name, value] of parseCookies(header)) expect(`${name}${value}`).toMatch(/^[\x21-\x7e]+$/);
      }),
    );
  });
});
