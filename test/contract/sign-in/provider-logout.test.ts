import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PUBLIC_CLIENT_ID } from '../../../hack/dev-idp/configuration.ts';
import { startDevIdp, type DevIdp } from '../../../hack/dev-idp/start-dev-idp.ts';
import { createCookieJar } from '../../../hack/sign-in-cookie-jar.ts';
import { sessionCookie } from '../../harness/api-client.ts';
import { freePort } from '../../harness/free-port.ts';
import { hostileCase, type HostileCase } from '../../hostile-idp/hostile-case.ts';
import { startHostileIdp, type HostileIdp } from '../../hostile-idp/start-hostile-idp.ts';
import { startServiceFixture, type ComposedService, type Fixture } from './composed-service.ts';

const PERSON = { sub: 'subject-4711', email: 'someone@example.com', name: 'Someone', groups: [] };
const good = hostileCase('nothing is wrong');
const withDiscovery = (name: string, discovery: HostileCase['discovery'] & object): HostileCase => ({
  ...good,
  name,
  discovery,
});
const announcing = withDiscovery('announces a logout', {
  set: { end_session_endpoint: '{origin}/logout?tenant=1' },
});
const silent = withDiscovery('announces no logout', {});
const empty = withDiscovery('announces null as its logout', { set: { end_session_endpoint: null } });
const plain = withDiscovery('announces a logout over plain http', {
  set: { end_session_endpoint: 'http://logout.example.com/' },
});
const slow = withDiscovery('takes its time', { body: 'slow' });
const cases = [announcing, silent, empty, plain, slow];

let idp: HostileIdp;
let fixture: Fixture;
let cookie: string;
beforeAll(async () => {
  [idp, fixture, cookie] = await Promise.all([
    startHostileIdp(cases),
    startServiceFixture(),
    sessionCookie(PERSON),
  ]);
});
afterAll(async () => {
  await fixture.close();
  await idp.close();
});

function start(
  hostile: HostileCase,
  environment: Readonly<Record<string, string>> = { OIDC_RP_LOGOUT: 'true' },
): Promise<ComposedService> {
  return fixture.start({
    OIDC_ISSUER: idp.issuerOf(hostile),
    OIDC_CLIENT_ID: 'hostile-client',
    OIDC_ALLOW_HTTP: 'true',
    ...environment,
  });
}

interface SignedOut {
  readonly location: string | null;
  readonly json: unknown;
}

/** Signs out by both methods. Whatever else they answer, the session's cookie goes and the cache is cleared. */
async function signOut({ url }: ComposedService, withCookie?: string): Promise<SignedOut> {
  const headers = withCookie === undefined ? {} : { cookie: withCookie };
  const [get, post] = await Promise.all([
    fetch(`${url}/api/auth/logout`, { headers, redirect: 'manual' }),
    fetch(`${url}/api/auth/logout`, { headers, method: 'POST' }),
  ]);
  expect([get.status, post.status]).toEqual([302, 200]);
  for (const response of [get, post]) {
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^service_session=; Max-Age=0; /),
    ]);
    expect(response.headers.get('clear-site-data')).toBe('"cache"');
    expect(response.headers.get('cache-control')).toBe('no-store');
  }
  return { location: get.headers.get('location'), json: await post.json() };
}

const HERE_ALONE: SignedOut = { location: '/login', json: { ok: true } };
const warnings = (service: ComposedService) =>
  service.logLines().filter(({ level, event }) => level === 'warn' && String(event).includes('logout'));

describe('sign-out with OIDC_RP_LOGOUT', () => {
  test('leads to the logout that the provider announces, with the client, a hint and the way back', async () => {
    const service = await start(announcing);
    const { location, json } = await signOut(service, cookie);
    expect(json).toEqual({ ok: true, redirectTo: location });
    const address = new URL(location ?? '');
    expect(`${address.origin}${address.pathname}`).toBe(`${idp.origin}/logout`);
    expect(Object.fromEntries(address.searchParams)).toEqual({
      tenant: '1',
      client_id: 'hostile-client',
      logout_hint: PERSON.sub,
      post_logout_redirect_uri: `${service.url}/login`,
    });
  });

  test('sends the provider neither the email nor a token, and logs none of it', async () => {
    const service = await start(announcing);
    const { location } = await signOut(service, cookie);
    expect(location).not.toContain('someone');
    expect(location).not.toMatch(/id_token|eyJ/);
    expect(service.log()).not.toContain('logout_hint');
    expect(service.log()).not.toContain(PERSON.sub);
  });

  test.each([
    ['no session', undefined],
    ['a session that is not valid', 'service_session=eyJhbGciOiJIUzI1NiJ9.e30.AAAA'],
    ['two sessions', 'service_session=a; service_session=b'],
  ])('with %s ends here alone, and the provider gets no request', async (_case, without) => {
    const service = await start(announcing);
    const before = idp.requestsOf(announcing).get('openid-configuration');
    expect(await signOut(service, without)).toEqual(HERE_ALONE);
    expect(idp.requestsOf(announcing).get('openid-configuration')).toBe(before);
  });

  test.each([silent, empty])('at a provider that $name ends here, with one warning', async (hostile) => {
    const service = await start(hostile);
    expect(await signOut(service, cookie)).toEqual(HERE_ALONE);
    expect(await signOut(service, cookie)).toEqual(HERE_ALONE);
    expect(warnings(service)).toEqual([
      expect.objectContaining({ event: 'provider announces no logout', variable: 'OIDC_RP_LOGOUT' }),
    ]);
  });

  test('never leads to an address that is not https', async () => {
    const service = await start(plain);
    expect(await signOut(service, cookie)).toEqual(HERE_ALONE);
    expect(warnings(service)).toContainEqual(expect.objectContaining({ code: 'insecure_endpoint' }));
  });

  test('at a provider that is away ends here, with a warning that says why', async () => {
    const service = await start(announcing, {
      OIDC_RP_LOGOUT: 'true',
      OIDC_ISSUER: `http://localhost:${await freePort()}/`,
    });
    expect(await signOut(service, cookie)).toEqual(HERE_ALONE);
    expect(warnings(service)).toContainEqual(
      expect.objectContaining({
        event: 'logout at the provider was left out',
        code: 'provider_unreachable',
        systemCode: 'ECONNREFUSED',
      }),
    );
  });

  test('does not wait for a provider that takes its time', async () => {
    const service = await start(slow);
    expect(await signOut(service, cookie)).toEqual(HERE_ALONE);
    expect(warnings(service)).toContainEqual(expect.objectContaining({ code: 'timeout' }));
  });
});

describe('sign-out without OIDC_RP_LOGOUT', () => {
  test.each([[{}], [{ OIDC_RP_LOGOUT: 'false' }]])(
    'ends here alone, whatever the provider announces: %j',
    async (environment) => {
      const service = await start(announcing, environment);
      const before = idp.requestsOf(announcing).get('openid-configuration');
      expect(await signOut(service, cookie)).toEqual(HERE_ALONE);
      expect(idp.requestsOf(announcing).get('openid-configuration')).toBe(before);
    },
  );
});

describe('with the development identity provider', () => {
  let devIdp: DevIdp;
  let service: ComposedService;
  beforeAll(async () => {
    service = await fixture.start(async (url) => {
      devIdp = await startDevIdp({ port: 0, redirectUris: [`${url}/api/auth/callback`] });
      return {
        OIDC_ISSUER: devIdp.issuer,
        OIDC_CLIENT_ID: PUBLIC_CLIENT_ID,
        OIDC_ALLOW_HTTP: 'true',
        OIDC_RP_LOGOUT: 'true',
      };
    });
  });
  afterAll(() => devIdp.close());

  test('whoever signs out confirms it there, and comes back to the sign-in page', async () => {
    const { location } = await signOut(service, cookie);
    const jar = createCookieJar();
    const at = new URL(location ?? '');
    const page = await fetch(at, { redirect: 'manual' });
    jar.store(at, page.headers.getSetCookie());
    const html = await page.text();
    expect(page.status).toBe(200);
    const [, action = ''] = /action="([^"]+)"/.exec(html) ?? [];
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(html) ?? [];
    const done = await fetch(action, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: jar.header(new URL(action)) },
      body: new URLSearchParams({ xsrf, logout: 'yes' }),
    });
    expect(done.status).toBe(303);
    expect(done.headers.get('location')).toBe(`${service.url}/login`);
  });
});
