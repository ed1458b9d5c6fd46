import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostileCase, type HostileCase } from '../../hostile-idp/hostile-case.ts';
import { startHostileIdp, type HostileIdp } from '../../hostile-idp/start-hostile-idp.ts';
import { freePort } from '../../harness/free-port.ts';
import { startServiceFixture, type Fixture } from './composed-service.ts';

const good = hostileCase('nothing is wrong');
const alike: HostileCase = { ...good, name: 'requested at the same time' };
let idp: HostileIdp;
let fixture: Fixture;
beforeAll(async () => {
  [idp, fixture] = await Promise.all([startHostileIdp([good, alike]), startServiceFixture()]);
});
afterAll(async () => {
  await fixture.close();
  await idp.close();
});

const at = (hostile: HostileCase) => ({
  OIDC_ISSUER: idp.issuerOf(hostile),
  OIDC_CLIENT_ID: 'hostile-client',
  OIDC_ALLOW_HTTP: 'true',
});

async function login(url: string): Promise<Response> {
  return fetch(`${url}/api/auth/login`, { redirect: 'manual' });
}

describe('GET /api/auth/login', () => {
  test('redirects to the authorization endpoint with PKCE S256, nonce and state', async () => {
    const service = await fixture.start(at(good));
    const response = await login(service.url);
    expect(response.status).toBe(302);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const location = new URL(response.headers.get('location') ?? '');
    expect(`${location.origin}${location.pathname}`).toBe(`${idp.issuerOf(good)}/authorize`);
    const query = Object.fromEntries(location.searchParams);
    expect(query).toMatchObject({
      response_type: 'code',
      client_id: 'hostile-client',
      code_challenge_method: 'S256',
      redirect_uri: `${service.url}/api/auth/callback`,
      scope: 'openid profile email groups',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(query[name]).toMatch(/^[\w-]{43}$/);
  });

  test('sets three HttpOnly, SameSite=Lax transaction cookies', async () => {
    const service = await fixture.start(at(good));
    const cookies = (await login(service.url)).headers.getSetCookie();
    expect(cookies).toHaveLength(3);
    for (const cookie of cookies) {
      expect(cookie).toMatch(
        /^service_login_(state|nonce|verifier)=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
      );
    }
  });

  test('requests discovery once per process, also when many log in at the same time', async () => {
    const service = await fixture.start(at(alike));
    const responses = await Promise.all([1, 2, 3, 4, 5].map(() => login(service.url)));
    expect(responses.map(({ status }) => status)).toEqual([302, 302, 302, 302, 302]);
    await login(service.url);
    expect(idp.requestsOf(alike).get('openid-configuration')).toBe(1);
  });

  test('answers 501 when OIDC is not configured', async () => {
    const service = await fixture.start();
    const response = await login(service.url);
    expect(response.status).toBe(501);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({
      error: 'Sign-in is not configured. Set OIDC_ISSUER and OIDC_CLIENT_ID.',
    });
  });

  test('answers 502 with a fixed text, a known code and a hint when the provider is unreachable', async () => {
    const service = await fixture.start({
      ...at(good),
      OIDC_ISSUER: `http://localhost:${await freePort()}/realm-of-this-test`,
    });
    const response = await login(service.url);
    expect(response.status).toBe(502);
    expect(response.headers.getSetCookie()).toEqual([]);
    const { error } = (await response.json()) as { error: string };
    expect(error).toBe(
      'The identity provider is unavailable (ECONNREFUSED). Nothing listens at the address of the provider. Check OIDC_ISSUER and that the provider runs.',
    );
    expect(service.log()).not.toContain('realm-of-this-test');
    expect(service.logLines()).toContainEqual(
      expect.objectContaining({ event: 'login could not begin', systemCode: 'ECONNREFUSED' }),
    );
  });

  test('recovers by itself once the provider is reachable', async () => {
    const port = await freePort();
    const late = await startHostileIdp([good], port);
    await late.close();
    const service = await fixture.start({ ...at(good), OIDC_ISSUER: late.issuerOf(good) });
    expect((await login(service.url)).status).toBe(502);
    const again = await startHostileIdp([good], port);
    expect((await login(service.url)).status).toBe(302);
    await again.close();
  });
});
