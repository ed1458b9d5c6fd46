import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSessionToken, signSessionToken } from '../../../../src/auth/session/session-token.ts';
import { compactToken, expandToken, MAX_PAYLOAD_BYTES } from '../../../../src/auth/session/cookies.ts';

const KEY = new TextEncoder().encode('0123456789abcdef0123456789abcdef');
const NOW = Date.UTC(2026, 10, 22);
const SIGNATURE = 'A'.repeat(43);

function tokenFor(groups: readonly string[]): Promise<string> {
  return signSessionToken({ sub: 's', email: 'a@example.com', name: 'Ada', groups }, KEY, {
    issuedMs: NOW,
    lifetimeMs: 60_000,
  });
}

const compactOf = (payload: Buffer | string): string =>
  `z:${deflateRawSync(payload).toString('base64url')}.${SIGNATURE}`;

describe('the compact form of a token', () => {
  test('gives back the token to the character, whatever the groups are called', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 60 }), async (groups) => {
        const token = await tokenFor(groups);
        expect(expandToken(compactToken(token) ?? '')).toBe(token);
      }),
    );
  });

  test('does not hold a token with another header, or with a payload over the bound', async () => {
    const token = await tokenFor([]);
    expect(compactToken(token.replace(/^[^.]+/, 'eyJhbGciOiJub25lIn0'))).toBeUndefined();
    expect(compactToken(await tokenFor(['x'.repeat(MAX_PAYLOAD_BYTES)]))).toBeUndefined();
  });

  test('with another payload is refused by the signature', async () => {
    const token = await tokenFor(['team-a']);
    const [, payload = '', signature = ''] = token.split('.');
    const other = Buffer.from(payload, 'base64url').toString().replace('team-a', 'admins');
    const forged = expandToken(`z:${deflateRawSync(other).toString('base64url')}.${signature}`);
    expect(forged).toBeDefined();
    expect(await readSessionToken(forged ?? '', NOW, { keys: [KEY] })).toBeUndefined();
    expect((await readSessionToken(token, NOW, { keys: [KEY] }))?.user).toMatchObject({ groups: ['team-a'] });
  });

  test('unfolds to the bound and not beyond', () => {
    expect(expandToken(compactOf(Buffer.alloc(MAX_PAYLOAD_BYTES)))).toBeDefined();
    expect(expandToken(compactOf(Buffer.alloc(MAX_PAYLOAD_BYTES + 1)))).toBeUndefined();
    expect(expandToken(compactOf(Buffer.alloc(12_000_000)))).toBeUndefined();
  });

  test.each([
    '',
    'z:',
    'z:.',
    `z:.${SIGNATURE}`,
    `z:AAAA.${SIGNATURE}`,
    `z:${'A'.repeat(9_000)}.${SIGNATURE}`,
    compactOf('{}').slice(0, -1),
    `${compactOf('{}')}A`,
    compactOf('{}').replace('z:', 'y:'),
    `z:${deflateRawSync('{"a":1}').subarray(0, 4).toString('base64url')}.${SIGNATURE}`,
    `z:a b.${SIGNATURE}`,
  ])('is no token when it is malformed: %j', (text) => {
    expect(expandToken(text)).toBeUndefined();
  });

  test('of any bytes is a token, which is refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array(), async (payload) => {
        const token = expandToken(compactOf(Buffer.from(payload))) ?? '';
        expect(token).toMatch(/^[\w-]+\.[\w-]*\.[\w-]{43}$/);
        expect(await readSessionToken(token, NOW, { keys: [KEY] })).toBeUndefined();
      }),
    );
  });
});
