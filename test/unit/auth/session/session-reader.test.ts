import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { createSessionReader, signSessionToken } from '../../../../src/auth/session/session-token.ts';

const KEY = new TextEncoder().encode('0123456789abcdef0123456789abcdef');
const OTHER_KEY = new TextEncoder().encode('0123456789abcdef0123456789abcdeF');
const NOW = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;

const user = (name: string) => ({ sub: name, email: `${name}@example.com`, name, groups: ['team-a'] });
const tokenOf = (name: string, nowMs = NOW) => signSessionToken(user(name), KEY, nowMs, 8 * HOUR);

describe('a session that was read before', () => {
  test('is the same user again', async () => {
    const reader = createSessionReader([KEY]);
    const token = await tokenOf('ada');
    expect(await reader.read(token, NOW)).toEqual(user('ada'));
    expect(await reader.read(token, NOW + HOUR)).toEqual(user('ada'));
  });

  test('is not verified again', async () => {
    const verify = vi.spyOn(crypto.subtle, 'verify');
    const reader = createSessionReader([KEY]);
    const token = await tokenOf('ada');
    await reader.read(token, NOW);
    expect(verify).toHaveBeenCalledTimes(1);
    await reader.read(token, NOW);
    expect(verify).toHaveBeenCalledTimes(1);
    verify.mockRestore();
  });

  test('expires to the second, and does not come back', async () => {
    const reader = createSessionReader([KEY]);
    const token = await tokenOf('ada');
    expect(await reader.read(token, NOW + 8 * HOUR - 1)).toEqual(user('ada'));
    expect(await reader.read(token, NOW + 8 * HOUR)).toBeUndefined();
    expect(await reader.read(token, NOW + 8 * HOUR)).toBeUndefined();
  });

  test('is no one while the clock says that it is issued in the future', async () => {
    const reader = createSessionReader([KEY]);
    const token = await tokenOf('ada');
    expect(await reader.read(token, NOW)).toEqual(user('ada'));
    expect(await reader.read(token, NOW - 1_000)).toBeUndefined();
    expect(await reader.read(token, NOW)).toEqual(user('ada'));
  });

  test('vouches for no other token: not for one with another character, not under another key', async () => {
    const reader = createSessionReader([KEY]);
    const token = await tokenOf('ada');
    await reader.read(token, NOW);
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), fc.constantFrom('A', 'z', '0', '_'), async (at, other) => {
        fc.pre(token[at] !== other);
        expect(await reader.read(token.slice(0, at) + other + token.slice(at + 1), NOW)).toBeUndefined();
      }),
    );
    expect(await createSessionReader([OTHER_KEY]).read(token, NOW)).toBeUndefined();
  });

  test('is pushed out by newer ones beyond the bound, and then verified once more', async () => {
    const verify = vi.spyOn(crypto.subtle, 'verify');
    const reader = createSessionReader([KEY], undefined, { tokens: 2, characters: 1_000_000 });
    const tokens = await Promise.all(['ada', 'bob', 'cleo'].map((name) => tokenOf(name)));
    const [ada = '', bob = '', cleo = ''] = tokens;
    for (const token of [ada, bob, ada, cleo]) await reader.read(token, NOW);
    expect(verify).toHaveBeenCalledTimes(3);
    expect(await reader.read(ada, NOW)).toEqual(user('ada'));
    expect(verify).toHaveBeenCalledTimes(3);
    expect(await reader.read(bob, NOW)).toEqual(user('bob'));
    expect(verify).toHaveBeenCalledTimes(4);
    verify.mockRestore();
  });

  test('is pushed out by longer ones, so that large sessions take no more memory than many small ones', async () => {
    const verify = vi.spyOn(crypto.subtle, 'verify');
    const [ada, bob] = await Promise.all([tokenOf('ada'), tokenOf('bob')]);
    const reader = createSessionReader([KEY], undefined, { tokens: 9, characters: ada.length });
    for (const token of [ada, ada, bob, bob, ada]) await reader.read(token, NOW);
    expect(verify).toHaveBeenCalledTimes(3);
    verify.mockRestore();
  });
});
