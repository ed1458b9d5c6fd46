import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_ACCOUNTS, UNVERIFIED_ACCOUNT } from '../../../hack/dev-idp/accounts.ts';
import { CONFIDENTIAL_CLIENTS, PUBLIC_CLIENT_ID } from '../../../hack/dev-idp/configuration.ts';
import { startDevIdp, type DevIdp } from '../../../hack/dev-idp/start-dev-idp.ts';
import { createCookieJar } from '../../../hack/sign-in-cookie-jar.ts';
import { SignInFailed, signInOverHttp } from '../../../hack/sign-in-over-http.ts';
import { startServiceFixture, type ComposedService, type Fixture } from './composed-service.ts';

let fixture: Fixture;
const providers: DevIdp[] = [];
beforeAll(async () => {
  fixture = await startServiceFixture();
});
afterEach(() => Promise.all(providers.splice(0).map((idp) => idp.close())));
afterAll(() => fixture.close());

/** A service that signs in at a development provider of its own. */
function startWithDevIdp(client: Readonly<Record<string, string>> = {}): Promise<ComposedService> {
  return fixture.start(async (url) => {
    const idp = await startDevIdp({ port: 0, redirectUris: [`${url}/api/auth/callback`] });
    providers.push(idp);
    return {
      OIDC_ISSUER: idp.issuer,
      OIDC_CLIENT_ID: PUBLIC_CLIENT_ID,
      OIDC_ALLOW_HTTP: 'true',
      ...client,
    };
  });
}

const DEVELOPER = { account: 'developer-a@example.com', password: 'developer-a-password' };

async function whoIs(service: ComposedService, cookie: string): Promise<unknown> {
  const response = await fetch(`${service.url}/api/auth/me`, { headers: { cookie } });
  return response.json();
}

describe('signing in at the development provider', () => {
  test.each(DEMO_ACCOUNTS)('$email arrives with its name and groups', async (account) => {
    const service = await startWithDevIdp();
    const { sub, email, name, groups, password } = account;
    const cookie = await signInOverHttp({ serviceUrl: service.url, account: email, password });
    expect(await whoIs(service, cookie)).toEqual({ user: { sub, email, name, groups } });
  });

  test.each(['client_secret_basic', 'client_secret_post'] as const)(
    'a confidential client authenticates by %s, whatever characters its secret has',
    async (method) => {
      const { id, secret } = CONFIDENTIAL_CLIENTS[method];
      const service = await startWithDevIdp({
        OIDC_CLIENT_ID: id,
        OIDC_CLIENT_SECRET: secret,
        OIDC_CLIENT_AUTH_METHOD: method,
      });
      const cookie = await signInOverHttp({ serviceUrl: service.url, ...DEVELOPER });
      expect(await whoIs(service, cookie)).toMatchObject({ user: { groups: ['team-a'] } });
      expect(service.log()).not.toContain(secret);
    },
  );

  test('a wrong client secret fails with the verdict invalid_client', async () => {
    const { id } = CONFIDENTIAL_CLIENTS.client_secret_basic;
    const service = await startWithDevIdp({ OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: 'not the secret' });
    const login = signInOverHttp({ serviceUrl: service.url, ...DEVELOPER });
    await expect(login).rejects.toThrow('The service refused the login (invalid_client)');
    expect(service.logLines()).toContainEqual(expect.objectContaining({ idpError: 'invalid_client' }));
    expect(service.log()).not.toContain('not the secret');
  });

  test('a cancelled login ends at the login page with access_denied', async () => {
    const service = await startWithDevIdp();
    const cancelled = await cancelLogin(service.url);
    expect(cancelled).toBe('/login?auth=error&idp_error=access_denied');
  });

  test('an account whose email is not verified is refused, unless the setting allows it', async () => {
    const { email, password } = UNVERIFIED_ACCOUNT;
    const strict = await startWithDevIdp();
    const refused = signInOverHttp({ serviceUrl: strict.url, account: email, password });
    await expect(refused).rejects.toThrow('The service refused the login (email_unverified)');
    expect(strict.log()).not.toContain(email);
    const metrics = await (await fetch(`${strict.opsUrl}/metrics`)).text();
    expect(metrics).toContain('service_sign_ins_total{step="callback",outcome="email_unverified"} 1');

    const lenient = await startWithDevIdp({ OIDC_ALLOW_UNVERIFIED_EMAIL: 'true' });
    const cookie = await signInOverHttp({ serviceUrl: lenient.url, account: email, password });
    expect(await whoIs(lenient, cookie)).toMatchObject({ user: { email } });
  });

  test('a wrong password is refused by the provider', async () => {
    const service = await startWithDevIdp();
    const login = signInOverHttp({ serviceUrl: service.url, ...DEVELOPER, password: 'wrong' });
    await expect(login).rejects.toThrow(SignInFailed);
  });

  test('a port in use is the listening error, not a hang', async () => {
    const first = await startDevIdp({ port: 0, redirectUris: ['http://localhost:1/api/auth/callback'] });
    providers.push(first);
    const port = Number(new URL(first.issuer).port);
    await expect(startDevIdp({ port, redirectUris: [] })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});

/** Follows a login to the provider's page, cancels there, and says where the service sends the browser. */
async function cancelLogin(serviceUrl: string): Promise<string | null> {
  const jar = createCookieJar();
  const visit = async (url: URL): Promise<Response> => {
    const response = await fetch(url, { redirect: 'manual', headers: { cookie: jar.header(url) } });
    jar.store(url, response.headers.getSetCookie());
    await response.body?.cancel();
    return response;
  };
  let url = new URL('/api/auth/login', serviceUrl);
  let pressed = false;
  for (let step = 0; step < 10; step++) {
    const location = (await visit(url)).headers.get('location');
    if (url.pathname === '/api/auth/callback') return location;
    if (location === null) {
      if (pressed) break;
      pressed = true;
      url = new URL(`${url.href}/abort`);
    } else url = new URL(location, url);
  }
  throw new Error('the login page was not left');
}
