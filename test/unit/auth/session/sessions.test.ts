import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  joinSessionToken,
  parseCookies,
  serializeCookie,
  type SetCookie,
  splitSessionToken,
} from '../../../../src/auth/session/cookies.ts';
import { sessionIdOf } from '../../../../src/auth/session/session-token.ts';
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

  test('beyond the bound is no session, and says how many bytes it has, and how many fit', async () => {
    const issued = await sessions.issue(userWith(5_000));
    expect(issued).toEqual({
      outcome: 'tooLarge',
      bytes: expect.any(Number) as number,
      limit: expect.any(Number) as number,
    });
    expect(issued.outcome === 'tooLarge' && issued.bytes).toBeGreaterThan(50_000);
  });

  test('beyond the bound reports the largest size that fits, to the byte', () => {
    const split = (length: number) =>
      splitSessionToken('x'.repeat(length), { maxAgeSeconds: 28_800, secure: true });
    const largest = Array.from({ length: 12_288 }, (_, length) => length).findLast(
      (length) => split(length).tooLarge === undefined,
    );
    const first = split((largest ?? 0) + 1);
    expect(first).toMatchObject({ tooLarge: expect.any(Number) as number });
    expect(first.tooLarge !== undefined && first.limit).toBe((first.tooLarge ?? 0) - 1);
    expect(first.tooLarge !== undefined && first.limit).toBeGreaterThan(12_000);
  });

  test('clears the parts of a longer session before it', async () => {
    const long = sentBack(cookiesOf(await sessions.issue(userWith(600))));
    const short = cookiesOf(await sessions.issue(userWith(1), long));
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

  test('without any cookie is no one', async () => {
    expect(await sessions.read(new Map())).toBeUndefined();
    expect(await sessions.identify(new Map())).toEqual({ user: undefined, sessionId: undefined });
  });

  test('is identified with the hash of its token, which an invalid one has, too', async () => {
    const cookies = sentBack(cookiesOf(await sessions.issue(userWith(1))));
    const sessionId = sessionIdOf(joinSessionToken(cookies) ?? '');
    expect(await sessions.identify(cookies)).toEqual({
      user: userWith(1),
      sessionId,
      issuedMs: NOW,
      expiresMs: NOW + SESSION_LIFETIME_MS,
      keyIndex: 0,
    });
    expect(await sessions.identify(new Map([['service_session', 'forged']]))).toEqual({
      user: undefined,
      sessionId: sessionIdOf('forged'),
    });
  });
});

describe('a session in its compact form', () => {
  const compact = createSessions({
    sessionSecret: '0123456789abcdef0123456789abcdef',
    now: () => NOW,
    secureCookies: true,
    compactSessions: true,
  });
  const name = (index: number) =>
    `${['payments', 'checkout', 'identity', 'search'][index % 4] ?? ''}-${['prod', 'dev'][index % 2] ?? ''}-team-${index}`;
  const withGroups = (count: number) => ({
    ...userWith(0),
    groups: Array.from({ length: count }, (_, index) => name(index)),
  });
  const total = (cookies: readonly SetCookie[]) =>
    cookies.reduce((sum, cookie) => sum + serializeCookie(cookie).length, 0);

  test('is chosen for long sessions alone: short ones are the bare token that they were', async () => {
    expect(cookiesOf(await compact.issue(withGroups(20)))).toEqual(
      cookiesOf(await sessions.issue(withGroups(20))),
    );
  });

  test.each([100, 200, 450, 900])('with %d groups is one cookie, and the same user', async (groups) => {
    const cookies = cookiesOf(await compact.issue(withGroups(groups)));
    expect(cookies).toHaveLength(1);
    expect(await compact.read(sentBack(cookies))).toEqual(withGroups(groups));
  });

  test('of 450 groups takes a quarter of the bytes, and less than half of what proxies take', async () => {
    const [plain, short] = await Promise.all([sessions.issue(userWith(450)), compact.issue(userWith(450))]);
    expect(total(cookiesOf(short))).toBeLessThan(total(cookiesOf(plain)) / 4);
    expect(total(cookiesOf(await compact.issue(withGroups(450))))).toBeLessThan(4_096 - 1_400);
  });

  test('is the very token that the other form holds: one session, one identity', async () => {
    const [plain, short] = await Promise.all([
      sessions.issue(withGroups(200)),
      compact.issue(withGroups(200)),
    ]);
    const token = joinSessionToken(sentBack(cookiesOf(plain)));
    expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]{43}$/);
    expect(joinSessionToken(sentBack(cookiesOf(short)))).toBe(token);
  });

  test('is read where it is not written', async () => {
    const cookies = cookiesOf(await compact.issue(withGroups(300)));
    expect(await sessions.read(sentBack(cookies))).toEqual(withGroups(300));
  });

  test('is written without being chosen before a session is refused', async () => {
    const user = withGroups(800);
    const cookies = cookiesOf(await sessions.issue(user));
    expect(cookies[0]?.value).toMatch(/^z:/);
    expect(await sessions.read(sentBack(cookies))).toEqual(user);
  });

  test('is not written where the token fits as it is, since replicas of the version before cannot read it', async () => {
    for (const groups of [1, 100, 300]) {
      const [first] = cookiesOf(await sessions.issue(withGroups(groups)));
      expect(first?.value).toMatch(/^([23]:)?eyJ/);
    }
  });

  test('is split where one cookie does not hold it, and joined again', async () => {
    const user = { ...userWith(0), groups: Array.from({ length: 200 }, () => crypto.randomUUID()) };
    const cookies = cookiesOf(await compact.issue(user));
    expect(cookies.map((cookie) => cookie.name)).toEqual(['service_session', 'service_session.1']);
    expect(await compact.read(sentBack(cookies))).toEqual(user);
  });
});

describe('splitting a token', () => {
  test('is undone by joining, at every length up to the bound', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 13_000 }), (length) => {
        const token = 'abcdefghij'.repeat(1_300).slice(0, length);
        const split = splitSessionToken(token, { maxAgeSeconds: 28_800, secure: true });
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
