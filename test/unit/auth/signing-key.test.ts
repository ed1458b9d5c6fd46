import { describe, expect, test } from 'vitest';
import { createSessions } from '../../../src/auth/sessions.ts';
import { readSigningKey, SIGNING_KEY_ADVICE } from '../../../src/auth/signing-key.ts';

const GOOD = '0123456789abcdef0123456789abcdef';

describe('the signing key', () => {
  test('is accepted from 32 characters on, and used as it was given', () => {
    expect(readSigningKey(GOOD)).toEqual({ key: new TextEncoder().encode(GOOD) });
    expect(readSigningKey(`${GOOD}\n`)).toEqual({ key: new TextEncoder().encode(`${GOOD}\n`) });
  });

  test.each([
    ['missing', undefined],
    ['missing', ''],
    ['blank', ' '.repeat(40)],
    ['blank', '\t\n'.repeat(20)],
    ['tooShort', GOOD.slice(1)],
    ['tooShort', `${GOOD.slice(1)}    `],
    ['tooShort', '🔑'.repeat(31)],
    ['publiclyKnown', 'dev-secret-change-me-in-production'],
    ['publiclyKnown', 'DEV-SECRET-CHANGE-ME-IN-PRODUCTION'],
    ['publiclyKnown', '  insecure-development-session-secret\n'],
    ['publiclyKnown', 'your-super-secret-key-at-least-32-characters'],
    ['publiclyKnown', 'please-change-me-to-something-that-is-random-enough'],
  ])('is refused as %s: %j', (problem, secret) => {
    expect(readSigningKey(secret)).toEqual({ problem });
  });

  test.each(Object.values(SIGNING_KEY_ADVICE))('the advice names the setting: %s', (advice) => {
    expect(advice).toContain('SESSION_SECRET');
  });

  test('makes no session and reads none while it is refused', async () => {
    const user = { sub: 's', email: 'a@example.com', name: 'A', groups: [] };
    const good = createSessions({ sessionSecret: GOOD, now: Date.now, secureCookies: false });
    const issued = await good.issue(user);
    const cookies = new Map(
      issued.outcome === 'issued' ? issued.cookies.map(({ name, value }) => [name, value]) : [],
    );
    expect(await good.read(cookies)).toEqual(user);

    const short = createSessions({ sessionSecret: 'short', now: Date.now, secureCookies: false });
    expect(await short.issue(user)).toEqual({ outcome: 'invalidKey', problem: 'tooShort' });
    expect(await short.read(cookies)).toBeUndefined();
    expect(short.keyProblem()).toBe('tooShort');
  });

  test('invalidates existing sessions when it changes', async () => {
    const before = createSessions({ sessionSecret: GOOD, now: Date.now, secureCookies: false });
    const after = createSessions({ sessionSecret: `${GOOD}x`, now: Date.now, secureCookies: false });
    const issued = await before.issue({ sub: 's', email: 'a@example.com', name: 'A', groups: [] });
    const cookies = new Map(
      issued.outcome === 'issued' ? issued.cookies.map(({ name, value }) => [name, value]) : [],
    );
    expect(cookies.size).toBe(1);
    expect(await after.read(cookies)).toBeUndefined();
  });
});
