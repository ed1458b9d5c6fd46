import { describe, expect, test } from 'vitest';
import { createSessions, readSigningKey, SIGNING_KEY_ADVICE } from '../../../../src/auth/session/sessions.ts';
import { signSessionToken } from '../../../../src/auth/session/session-token.ts';

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

  test('is changed without signing everyone out while the former key is given', async () => {
    const user = { sub: 's', email: 'a@example.com', name: 'A', groups: [] };
    const sessionsWith = (sessionSecret: string | undefined, previousSessionSecret?: string) =>
      createSessions({ sessionSecret, previousSessionSecret, now: Date.now, secureCookies: false });
    const cookiesOf = async (sessions: ReturnType<typeof createSessions>) => {
      const issued = await sessions.issue(user);
      return new Map(
        issued.outcome === 'issued' ? issued.cookies.map(({ name, value }) => [name, value]) : [],
      );
    };
    const [FORMER, NEW] = [GOOD, `new-${GOOD}`];
    const old = await cookiesOf(sessionsWith(FORMER));
    const rotated = sessionsWith(NEW, FORMER);
    expect(await rotated.read(old)).toEqual(user);
    expect(await rotated.read(old)).toEqual(user);

    // The former key never signs.
    const fresh = await cookiesOf(rotated);
    expect(await sessionsWith(NEW).read(fresh)).toEqual(user);
    expect(await sessionsWith(FORMER).read(fresh)).toBeUndefined();
    // Once it is taken away, its sessions end; a key that is both is harmless.
    expect(await sessionsWith(NEW).read(old)).toBeUndefined();
    expect(await sessionsWith(FORMER, FORMER).read(old)).toEqual(user);
    expect(
      await sessionsWith(NEW, FORMER).read(await cookiesOf(sessionsWith(`third-${GOOD}`))),
    ).toBeUndefined();
    // Without a good key of its own, a service takes no session and makes none.
    for (const none of [undefined, '', 'short', ' '.repeat(40), 'dev-secret-change-me-in-production']) {
      expect(await sessionsWith(none, FORMER).read(old)).toBeUndefined();
      expect((await sessionsWith(none, FORMER).issue(user)).outcome).toBe('invalidKey');
    }
  });

  test.each(['short', ' '.repeat(40), 'dev-secret-change-me-in-production'])(
    'is held to the same rules as a former key: %j counts as none',
    async (previousSessionSecret) => {
      const forged = await signSessionToken(
        { sub: 's', email: 'a@example.com', name: 'A', groups: [] },
        new TextEncoder().encode(previousSessionSecret),
        { issuedMs: Date.now(), lifetimeMs: 60_000 },
      );
      const sessions = createSessions({
        sessionSecret: GOOD,
        previousSessionSecret,
        now: Date.now,
        secureCookies: false,
      });
      expect(await sessions.read(new Map([['service_session', forged]]))).toBeUndefined();
      expect(readSigningKey(previousSessionSecret).problem).toMatch(/^(tooShort|blank|publiclyKnown)$/);
    },
  );

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
