import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { driveLogin, type LoginEnd } from '../../hostile-idp/drive-login.ts';
import { readHostileCases, type HostileCase } from '../../hostile-idp/hostile-case.ts';
import { resolveValue } from '../../hostile-idp/resolve-values.ts';
import { startHostileIdp, type HostileIdp } from '../../hostile-idp/start-hostile-idp.ts';
import { startServiceFixture, type Fixture } from './composed-service.ts';

const cases = readHostileCases();
let idp: HostileIdp;
let fixture: Fixture;
beforeAll(async () => {
  [idp, fixture] = await Promise.all([startHostileIdp(cases), startServiceFixture()]);
});
afterAll(async () => {
  await fixture.close();
  await idp.close();
});

type Line = Readonly<Record<string, unknown>>;

interface Played {
  readonly login: LoginEnd;
  /** The last line about a login: why it failed, or that it did not. */
  readonly line: Line;
  /** The line about UserInfo, which does not end a login. */
  readonly userInfoLine: Line | undefined;
  readonly elapsedMs: number;
  /** Everything that strangers and operators get to see. */
  readonly seen: string;
  readonly user: unknown;
  /** How often the provider got a request of this kind. */
  readonly requestsOf: (kind: string) => number;
}

/** Plays the case against a service of its own, because discovery is kept for as long as a service lives. */
async function play(hostile: HostileCase): Promise<Played> {
  const issuer = idp.issuerOf(hostile);
  const before = new Map(idp.requestsOf(hostile));
  const service = await fixture.start({
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: 'hostile-client',
    OIDC_ALLOW_HTTP: 'true',
    // No login reads a list.
    SERVICE_LIST_CACHE: 'false',
    ...(resolveValue(hostile.environment ?? {}, { issuer }) as Record<string, string>),
  });
  const begun = performance.now();
  const login = await driveLogin(service.url, hostile);
  const elapsedMs = performance.now() - begun;
  const cookie = [...login.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const me = await fetch(`${service.url}/api/auth/me`, { headers: { cookie } });
  const { user } = (await me.json()) as { user: unknown };
  const metrics = await (await fetch(`${service.opsUrl}/metrics`)).text();
  await service.close();
  const line = service.logLines().findLast(({ event }) => EVENTS.includes(event)) ?? {};
  const userInfoLine = service.logLines().find(({ event }) => event === 'userinfo failed');
  const newCookies = login.at === 'home' ? [] : login.setCookies; // a session's token is meant to hold claims
  const seen = [service.log(), metrics, login.location, login.body, ...newCookies].join('\n');
  const after = new Map(idp.requestsOf(hostile));
  const requestsOf = (kind: string): number => (after.get(kind) ?? 0) - (before.get(kind) ?? 0);
  return { login, line, userInfoLine, elapsedMs, seen, user, requestsOf };
}

/** A busy machine may exceed the five seconds that the service gives a provider: then the login is played once more. */
async function playInTime(hostile: HostileCase): Promise<Played> {
  const played = await play(hostile);
  const { code, userInfo } = hostile.expect;
  const wasTooSlow =
    (played.line['code'] === 'timeout' && code !== 'timeout') ||
    (played.userInfoLine?.['code'] === 'timeout' && userInfo !== 'timeout');
  return wasTooSlow ? play(hostile) : played;
}

/** Discovery, and then all that a callback requests; a machine under load gets a little more. */
const LONGEST_LOGIN_MS = 5_000 + 20_000 + 5_000;

const EVENTS: readonly unknown[] = ['login could not begin', 'login failed', 'signed in'];

describe('a login at a hostile provider', () => {
  test('is tried in at least 250 ways, each with an issuer of its own', () => {
    expect(cases.length).toBeGreaterThanOrEqual(250);
    expect(new Set(cases.map((hostile) => idp.issuerOf(hostile))).size).toBe(cases.length);
  });

  test.concurrent.each(cases)('$name', async (hostile) => {
    const { login, line, userInfoLine, elapsedMs, seen, user, requestsOf } = await playInTime(hostile);
    const { at, code, stage, status, userInfo } = hostile.expect;
    expect(elapsedMs).toBeLessThan(LONGEST_LOGIN_MS);
    expect(login.at).toBe(at);
    if (at === 'login') expectRefusedAtLogin(login, line, code);
    else {
      expectConsumed(login);
      if (at === 'callback') expectRefusedAtCallback(login, hostile, line);
      else expectSignedIn(login, hostile, user);
    }
    if (at !== 'home') expect({ stage: line['stage'], status: line['status'] }).toEqual({ stage, status });
    expect(userInfoLine?.['code']).toBe(userInfo);
    // The replay of a callback comes after a login that was in order.
    if (at !== 'home' && hostile.browser?.replay !== true) expect(user).toBeNull();

    expect(requestsOf('token')).toBe(at === 'login' ? 0 : (hostile.expect.tokenRequests ?? 1));
    expect(requestsOf('stolen')).toBe(0);
    expect(seen.toLowerCase()).not.toContain(idp.canary);
    expect(seen).not.toContain('<script');
    for (const secret of login.secrets) expect(seen).not.toContain(secret);
  });
});

function expectRefusedAtLogin(login: LoginEnd, line: Played['line'], code: string | undefined): void {
  expect(login).toMatchObject({ status: 502, setCookies: [], location: undefined });
  const { error } = JSON.parse(login.body) as { error: string };
  expect(error).toContain(`(${code ?? ''})`);
  expect(login.body).not.toContain(new URL(idp.origin).host);
  expect(line).toMatchObject({ event: 'login could not begin', code });
}

function expectRefusedAtCallback(
  login: LoginEnd,
  { expect: wanted }: HostileCase,
  line: Played['line'],
): void {
  const query = wanted.idpError === undefined ? '' : `&idp_error=${wanted.idpError}`;
  expect(login).toMatchObject({ status: 302, location: `/login?auth=error${query}` });
  const { event, code, idpError, descriptionCode, bytes } = line;
  expect({ event, code, idpError, descriptionCode }).toEqual({
    event: 'login failed',
    code: wanted.code,
    idpError: wanted.idpError,
    descriptionCode: wanted.descriptionCode,
  });
  expect(line['hint']).toContain(wanted.hint ?? '');
  if (wanted.code === 'session_too_large') {
    expect(line).toMatchObject({ count: expect.any(Number) as number, limit: expect.any(Number) as number });
    expect(bytes).toBeGreaterThan(line['limit'] as number);
  }
  expect(line).toMatchObject(wanted.line ?? {});
}

function expectSignedIn(login: LoginEnd, { expect: wanted }: HostileCase, user: unknown): void {
  expect(login).toMatchObject({ status: 302, location: '/' });
  expect(user).toMatchObject({ sub: 'subject', email: 'user@example.com', ...wanted.user });
}

function expectConsumed({ setCookies }: LoginEnd): void {
  for (const name of ['state', 'nonce', 'verifier']) {
    const line = setCookies.find((cookie) => cookie.startsWith(`service_login_${name}=`));
    expect(line).toMatch(new RegExp(`^service_login_${name}=; Max-Age=0; `));
  }
}
