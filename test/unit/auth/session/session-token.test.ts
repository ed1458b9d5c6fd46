import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isIdentity } from '../../../../src/contract/email.ts';
import { readSessionToken, signSessionToken } from '../../../../src/auth/session/session-token.ts';
import { hmac, spellJwt } from '../../../hostile-idp/forge-jwt.ts';

const KEY = new TextEncoder().encode('0123456789abcdef0123456789abcdef');
const OTHER_KEY = new TextEncoder().encode('0123456789abcdef0123456789abcdeF');
const NOW = Date.UTC(2026, 10, 21, 12, 0, 0, 500);
const HOUR = 3_600_000;
const USER = { sub: 'subject', email: 'a@example.com', name: 'Ada', groups: ['team-a'] };

const read = async (token: string, nowMs: number, key = KEY) =>
  (await readSessionToken(token, nowMs, { keys: [key] }))?.user;

const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 50 })
  .filter((given) => given.trim() !== '');
const user = fc.record({
  sub: text,
  email: text.filter(isIdentity),
  name: fc.string(),
  groups: fc.array(fc.string(), { maxLength: 9 }),
});

/** A token by the contract but for what `change` does to its claims. */
function tokenWith(change: Readonly<Record<string, unknown>>, omit?: string): string {
  const issuedAt = Math.floor(NOW / 1_000);
  const claims = { ...USER, iss: 'service', iat: issuedAt, exp: issuedAt + 3_600, ...change };
  const kept = Object.fromEntries(Object.entries(claims).filter(([name]) => name !== omit));
  return spellJwt({ alg: 'HS256' }, kept, hmac('sha256', Buffer.from(KEY)));
}

describe('a session token', () => {
  test('gives back the user it was made for, until it expires', async () => {
    await fc.assert(
      fc.asyncProperty(user, fc.integer({ min: 0, max: 8 * HOUR - 1_000 }), async (given, elapsed) => {
        const token = await signSessionToken(given, KEY, { issuedMs: NOW, lifetimeMs: 8 * HOUR });
        expect(await read(token, NOW + elapsed)).toEqual(given);
      }),
    );
  });

  test('is refused from its expiry on, to the second', async () => {
    const token = await signSessionToken(USER, KEY, { issuedMs: NOW, lifetimeMs: 8 * HOUR });
    const expiry = Math.floor(NOW / 1_000) * 1_000 + 8 * HOUR;
    expect(await read(token, expiry - 1)).toEqual(USER);
    expect(await read(token, expiry)).toBeUndefined();
    expect(await read(token, expiry + 365 * 24 * HOUR)).toBeUndefined();
  });

  test('is refused before it was issued', async () => {
    const token = await signSessionToken(USER, KEY, { issuedMs: NOW, lifetimeMs: 8 * HOUR });
    expect(await read(token, NOW)).toEqual(USER);
    expect(await read(token, NOW - 1_000)).toBeUndefined();
  });

  test('is refused under every other key', async () => {
    const token = await signSessionToken(USER, KEY, { issuedMs: NOW, lifetimeMs: 8 * HOUR });
    expect(await read(token, NOW, OTHER_KEY)).toBeUndefined();
  });

  test('is refused when any one character is another', async () => {
    const token = await signSessionToken(USER, KEY, { issuedMs: NOW, lifetimeMs: 8 * HOUR });
    const index = fc.integer({ min: 0, max: token.length - 1 });
    const character = fc.stringMatching(/^[A-Za-z0-9_.=+/ -]$/);
    await fc.assert(
      fc.asyncProperty(index, character, async (at, other) => {
        fc.pre(token[at] !== other);
        const changed = token.slice(0, at) + other + token.slice(at + 1);
        expect(await read(changed, NOW)).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  test('is refused when it is cut or extended anywhere', async () => {
    const token = await signSessionToken(USER, KEY, { issuedMs: NOW, lifetimeMs: 8 * HOUR });
    const range = fc.tuple(fc.nat(token.length), fc.nat(token.length));
    await fc.assert(
      fc.asyncProperty(range, fc.string(), async ([one, other], extra) => {
        const changed = token.slice(0, Math.min(one, other)) + extra + token.slice(Math.max(one, other));
        fc.pre(changed !== token);
        expect(await read(changed, NOW)).toBeUndefined();
      }),
    );
  });

  test('is no one for any text that is no token', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.base64String(), fc.json()), async (given) => {
        expect(await read(given, NOW)).toBeUndefined();
      }),
    );
  });

  test('is refused when an optional claim is there but malformed', async () => {
    const malformed = fc.oneof(
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.dictionary(fc.string(), fc.string()),
    );
    await fc.assert(
      fc.asyncProperty(malformed, async (given) => {
        expect(await read(tokenWith({ name: given }), NOW)).toBeUndefined();
        expect(await read(tokenWith({ groups: given }), NOW)).toBeUndefined();
        expect(await read(tokenWith({ groups: ['team-a', given] }), NOW)).toBeUndefined();
      }),
    );
  });

  test('falls back to the email for the name, and to no groups', async () => {
    expect(await read(tokenWith({}, 'name'), NOW)).toEqual({ ...USER, name: USER.email });
    expect(await read(tokenWith({}, 'groups'), NOW)).toEqual({ ...USER, groups: [] });
  });
});
