import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCookies, serializeCookie, type SetCookie } from '../../../../src/auth/session/cookies.ts';
import { joinSessionToken, splitSessionToken } from '../../../../src/auth/session/session-cookies.ts';
import {
  createSessions,
  SESSION_LIFETIME_MS,
  type IssuedSession,
} from '../../../../src/auth/session/sessions.ts';

const NOW = Date.UTC(2026, 10, 21);
const sessions = createSessions({
  sessionSecret: '0123456789abcdef0123456789abcdef',
  now: () => NOW,
  secureCookies: true,
});

const userWith = (groups: number) => ({
  sub: 'subject',
  email: 'a@example.com',
  name: 'Ada',
  groups: Array.from({ length: groups }, (_, index) => `group-${index}`),
});

function cookiesOf(issued: IssuedSession): readonly SetCookie[] {
  if (issued.outcome !== 'issued') throw new TypeError(`expected a session, not ${issued.outcome}`);
  return issued.cookies;
}

/** What a browser sends back after these cookies were set. */
function sentBack(cookies: readonly SetCookie[]): ReadonlyMap<string, string> {
  const kept = cookies.filter(({ maxAgeSeconds }) => maxAgeSeconds > 0);
  return parseCookies(kept.map(({ name, value }) => `${name}=${value}`).join('; '));
}

describe('a session', () => {
  test('lives for 8 hours, in one HttpOnly, SameSite=Lax cookie that is Secure in production', async () => {
    expect(SESSION_LIFETIME_MS).toBe(8 * 3_600_000);
    const cookies = cookiesOf(await sessions.issue(userWith(1)));
    expect(cookies.map(serializeCookie)).toEqual([
      expect.stringMatching(
        /^service_session=[\w-]+\.[\w-]+\.[\w-]+; Max-Age=28800; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ]);
  });

  test.each([0, 1, 200, 350, 600])('with %d groups survives the way through the browser', async (groups) => {
    const cookies = cookiesOf(await sessions.issue(userWith(groups)));
    for (const cookie of cookies) expect(serializeCookie(cookie).length).toBeLessThanOrEqual(4_096);
    expect(await sessions.read(sentBack(cookies))).toEqual(userWith(groups));
  });

  test('that does not fit one cookie is split over numbered ones', async () => {
    const cookies = cookiesOf(await sessions.issue(userWith(600)));
    expect(cookies.map(({ name }) => name)).toEqual([
      'service_session',
      'service_session.1',
      'service_session.2',
    ]);
  });

  test('beyond the bound is no session, and says how many bytes it has', async () => {
    const issued = await sessions.issue(userWith(5_000));
    expect(issued).toEqual({ outcome: 'tooLarge', bytes: expect.any(Number) as number });
    expect(issued.outcome === 'tooLarge' && issued.bytes).toBeGreaterThan(50_000);
  });

  test('clears the parts of a longer session before it', async () => {
    const long = sentBack(cookiesOf(await sessions.issue(userWith(600))));
    const short = cookiesOf(await sessions.issue(userWith(1), { present: long }));
    const cleared = short.filter(({ maxAgeSeconds }) => maxAgeSeconds === 0).map(({ name }) => name);
    expect(cleared).toEqual(['service_session.1', 'service_session.2']);
  });

  test('is read although parts of a longer session were left over', async () => {
    const long = sentBack(cookiesOf(await sessions.issue(userWith(600))));
    for (const groups of [1, 350]) {
      const shorter = sentBack(cookiesOf(await sessions.issue(userWith(groups))));
      expect(await sessions.read(new Map([...long, ...shorter]))).toEqual(userWith(groups));
    }
  });

  test('ends with all its parts', async () => {
    const long = sentBack(cookiesOf(await sessions.issue(userWith(600))));
    const cleared = sessions.clear(long);
    expect(cleared.map(({ name, value, maxAgeSeconds }) => [name, value, maxAgeSeconds])).toEqual([
      ['service_session', '', 0],
      ['service_session.1', '', 0],
      ['service_session.2', '', 0],
    ]);
    expect(sessions.clear(new Map()).map(({ name }) => name)).toEqual(['service_session']);
  });

  test('without any cookie is nobody', async () => {
    expect(await sessions.read(new Map())).toBeUndefined();
  });
});

describe('splitting a token', () => {
  test('is undone by joining, at every length up to the bound', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 13_000 }), (length) => {
        const token = 'abcdefghij'.repeat(1_300).slice(0, length);
        const split = splitSessionToken(token, 28_800, true);
        if (split.tooLarge !== undefined) {
          expect(length).toBeGreaterThan(11_500);
          return;
        }
        for (const cookie of split.cookies) expect(serializeCookie(cookie).length).toBeLessThanOrEqual(4_096);
        expect(joinSessionToken(sentBack(split.cookies))).toBe(token);
      }),
    );
  });
});
