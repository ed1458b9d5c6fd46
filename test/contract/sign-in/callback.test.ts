import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCookieJar, type CookieJar } from '../../../hack/sign-in-cookie-jar.ts';
import { hostileCase, type HostileCase } from '../../hostile-idp/hostile-case.ts';
import { startHostileIdp, type HostileIdp } from '../../hostile-idp/start-hostile-idp.ts';
import { startServiceFixture, type ComposedService, type Fixture } from './composed-service.ts';

const good = hostileCase('nothing is wrong');
const manyGroups = hostileCase('six hundred groups');
let idp: HostileIdp;
let fixture: Fixture;
beforeAll(async () => {
  [idp, fixture] = await Promise.all([startHostileIdp([good, manyGroups]), startServiceFixture()]);
});
afterAll(async () => {
  await fixture.close();
  await idp.close();
});

function start(
  hostile: HostileCase = good,
  environment: Readonly<Record<string, string>> = {},
): Promise<ComposedService> {
  return fixture.start({
    OIDC_ISSUER: idp.issuerOf(hostile),
    OIDC_CLIENT_ID: 'hostile-client',
    OIDC_ALLOW_HTTP: 'true',
    ...environment,
  });
}

async function visit(jar: CookieJar, url: URL): Promise<Response> {
  const response = await fetch(url, { redirect: 'manual', headers: { cookie: jar.header(url) } });
  jar.store(url, response.headers.getSetCookie());
  await response.body?.cancel();
  return response;
}

/** Begins a login in this browser and returns the address that the provider sends it back to. */
async function begin(jar: CookieJar, service: ComposedService): Promise<URL> {
  const response = await visit(jar, new URL('/api/auth/login', service.url));
  const back = await fetch(response.headers.get('location') ?? '', { redirect: 'manual' });
  return new URL(back.headers.get('location') ?? '');
}

async function me(jar: CookieJar, service: ComposedService): Promise<{ status: number; json: unknown }> {
  const url = new URL('/api/auth/me', service.url);
  const response = await fetch(url, { headers: { cookie: jar.header(url) } });
  return { status: response.status, json: await response.json() };
}

const SESSION = /^service_session=[\w-]+\.[\w-]+\.[\w-]{43}; Max-Age=28800; Path=\/; HttpOnly; SameSite=Lax$/;

describe('GET /api/auth/callback', () => {
  test('sets the session cookie, consumes the transaction and redirects to /', async () => {
    const service = await start();
    const jar = createCookieJar();
    const response = await visit(jar, await begin(jar, service));
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe('/');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const lines = response.headers.getSetCookie();
    expect(lines.filter((line) => line.includes('Max-Age=0'))).toHaveLength(3);
    expect(lines.filter((line) => SESSION.test(line))).toHaveLength(1);
    expect([...jar.cookies(new URL(service.url)).keys()]).toEqual(['service_session']);
    expect(await me(jar, service)).toEqual({
      status: 200,
      json: {
        user: {
          sub: 'subject',
          email: 'user@example.com',
          name: 'From UserInfo',
          groups: ['from-userinfo'],
        },
      },
    });
  });

  test('exchanges the code by the configured redirect URI, whatever host the request came in by', async () => {
    const service = await start(good, { OIDC_REDIRECT_URI: 'https://secrets.example/api/auth/callback' });
    const jar = createCookieJar();
    const back = await begin(jar, service);
    expect(back.origin).toBe('https://secrets.example');
    // What a proxy would do: the same path and query, to the internal host.
    const internal = new URL(`${back.pathname}${back.search}`, service.url);
    expect((await visit(jar, internal)).headers.get('location')).toBe('/');
  });

  test('keeps a session that was there when another login fails', async () => {
    const service = await start();
    const jar = createCookieJar();
    await visit(jar, await begin(jar, service));
    await begin(jar, service);
    const failed = await visit(jar, new URL('/api/auth/callback?code=x&state=y', service.url));
    expect(failed.headers.get('location')).toBe('/login?auth=error');
    expect((await me(jar, service)).status).toBe(200);
  });

  test.each([
    ['access_denied', 'access_denied'],
    ['invalid_scope', 'invalid_scope'],
    ['made_up', 'provider_error'],
    ['%3Cscript%3E', 'provider_error'],
    ['x'.repeat(65), 'provider_error'],
  ])('keeps only known codes of the provider: %s', async (given, kept) => {
    const service = await start();
    const response = await fetch(`${service.url}/api/auth/callback?error=${given}&error_description=c4n4ry`, {
      redirect: 'manual',
    });
    expect(response.headers.get('location')).toBe(`/login?auth=error&idp_error=${kept}`);
    expect(service.log()).not.toContain('c4n4ry');
  });
});

describe('a callback that comes again', () => {
  const again = (jar: CookieJar, address: URL) =>
    fetch(address, { redirect: 'manual', headers: { cookie: jar.header(address) } });

  async function signedIn(): Promise<{ service: ComposedService; jar: CookieJar; callback: URL }> {
    const service = await start();
    const jar = createCookieJar();
    const callback = await begin(jar, service);
    await visit(jar, callback);
    return { service, jar, callback };
  }

  test('with a valid session redirects to /, and sets, deletes, exchanges and audits nothing', async () => {
    const { service, jar, callback } = await signedIn();
    const requested = new Map(idp.requestsOf(good));
    const response = await again(jar, callback);
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe('/');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(idp.requestsOf(good)).toEqual(requested);
    expect(service.logLines().filter(({ event }) => event === 'login failed')).toEqual([]);
    expect(service.logLines().filter(({ event }) => event === 'audit')).toHaveLength(1);
    const metrics = await (await fetch(`${service.opsUrl}/metrics`)).text();
    expect(metrics).toContain('service_sign_ins_total{step="callback",outcome="replayed"} 1');
  });

  test('with the callback of someone else leaves whoever is signed in who they are', async () => {
    const { service, jar } = await signedIn();
    const foreign = await begin(createCookieJar(), service);
    expect((await again(jar, foreign)).headers.get('location')).toBe('/');
    expect((await again(jar, foreign)).headers.getSetCookie()).toEqual([]);
    expect(await me(jar, service)).toMatchObject({ json: { user: { email: 'user@example.com' } } });
  });

  test.each([
    ['without a session', ''],
    ['with a forged session', 'service_session=eyJhbGciOiJIUzI1NiJ9.e30.AAAA'],
    ['with two sessions, of which one is planted', 'service_session=a; service_session=b'],
  ])('%s is a failed login', async (_case, cookie) => {
    const { callback } = await signedIn();
    const response = await fetch(callback, { redirect: 'manual', headers: { cookie } });
    expect(response.headers.get('location')).toBe('/login?auth=error');
    expect(response.headers.getSetCookie()).toHaveLength(3);
  });

  test.each(['state', 'nonce', 'verifier'])(
    'with a cookie of a login under way is a failed login, which consumes it: %s',
    async (name) => {
      const { jar, callback } = await signedIn();
      jar.store(callback, [`service_login_${name}=left; Path=/`]);
      const response = await again(jar, callback);
      expect(response.headers.get('location')).toBe('/login?auth=error');
      expect(response.headers.getSetCookie()).toHaveLength(3);
    },
  );

  test('with cookies of a login that say two things is a failed login, which consumes them', async () => {
    const { jar, callback } = await signedIn();
    const planted = ['state', 'nonce', 'verifier'].flatMap((name) => [
      `service_login_${name}=a`,
      `service_login_${name}=b`,
    ]);
    const cookie = [jar.header(callback), ...planted].join('; ');
    const response = await fetch(callback, { redirect: 'manual', headers: { cookie } });
    expect(response.headers.get('location')).toBe('/login?auth=error');
    expect(response.headers.getSetCookie()).toHaveLength(3);
  });

  test.each([
    ['?error=access_denied&state=y', '/login?auth=error&idp_error=access_denied'],
    ['?code=x&state=y&error=access_denied', '/login?auth=error&idp_error=access_denied'],
    ['?code=x', '/login?auth=error'],
    ['?state=y', '/login?auth=error'],
    ['?code=&state=y', '/login?auth=error'],
    ['?code=x&code=y&state=z', '/login?auth=error'],
    ['', '/login?auth=error'],
  ])('is a failed login where it is not that of a login that ended well: %j', async (query, location) => {
    const { service, jar } = await signedIn();
    const response = await again(jar, new URL(`/api/auth/callback${query}`, service.url));
    expect(response.headers.get('location')).toBe(location);
    expect((await me(jar, service)).status).toBe(200);
  });
});

describe('two logins in one browser', () => {
  test('the later one wins, and the earlier one leads home after it', async () => {
    const service = await start();
    const jar = createCookieJar();
    const earlier = await begin(jar, service);
    const later = await begin(jar, service);
    expect((await visit(jar, later)).headers.get('location')).toBe('/');
    expect((await visit(jar, earlier)).headers.get('location')).toBe('/');
    expect((await me(jar, service)).status).toBe(200);
  });

  test('every attempt consumes the cookies: an earlier one that comes first takes the later one with it', async () => {
    const service = await start();
    const jar = createCookieJar();
    const earlier = await begin(jar, service);
    const later = await begin(jar, service);
    expect((await visit(jar, earlier)).headers.get('location')).toBe('/login?auth=error');
    expect(jar.cookies(new URL(service.url)).size).toBe(0);
    expect((await visit(jar, later)).headers.get('location')).toBe('/login?auth=error');
    // Nothing is lost but the attempt.
    expect((await visit(jar, await begin(jar, service))).headers.get('location')).toBe('/');
  });
});

describe('a session with very many groups', () => {
  test('is split over numbered cookies, joined again, and cleared with all its parts', async () => {
    const service = await start(manyGroups);
    const jar = createCookieJar();
    const home = new URL(service.url);
    const response = await visit(jar, await begin(jar, service));
    for (const line of response.headers.getSetCookie()) expect(line.length).toBeLessThanOrEqual(4_096);
    expect([...jar.cookies(home).keys()]).toEqual([
      'service_session',
      'service_session.1',
      'service_session.2',
    ]);
    const { json } = await me(jar, service);
    expect((json as { user: { groups: string[] } }).user.groups).toHaveLength(600);

    await visit(jar, new URL('/api/auth/logout', service.url));
    expect(jar.cookies(home).size).toBe(0);
  });

  test('leaves no part behind when a smaller session follows', async () => {
    const [large, small] = await Promise.all([start(manyGroups), start(good)]);
    const jar = createCookieJar(); // ports share cookies: two services on one host are one to a browser
    await visit(jar, await begin(jar, large));
    await visit(jar, await begin(jar, small));
    expect([...jar.cookies(new URL(small.url)).keys()]).toEqual(['service_session']);
    expect((await me(jar, small)).status).toBe(200);
  });
});
