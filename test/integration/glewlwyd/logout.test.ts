import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeSigningKey } from '../../harness/glewlwyd/signing-keys.ts';
import { signIn, startFixture, whoIs, type Fixture } from './fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
  const keys = [makeSigningKey('ES256')];
  await fixture.glewlwyd.provide({ name: 'announced', keys, endsSessions: true });
  await fixture.glewlwyd.provide({ name: 'unannounced', keys });
});
afterAll(() => fixture.close());

async function signOutAt(provider: string) {
  const service = await fixture.startService({ provider, env: { OIDC_RP_LOGOUT: 'true' } });
  const { browser } = await signIn(service.url);
  const { status, location } = await browser.get(new URL('/api/auth/logout', service.url));
  expect(status).toBe(302);
  expect(await whoIs(browser, service.url)).toBeNull();
  return { service, browser, location: new URL(location ?? '', service.url) };
}

describe('signing out with OIDC_RP_LOGOUT', () => {
  test('ends at /login where Glewlwyd announces no logout', async () => {
    const { service, location } = await signOutAt('unannounced');
    expect(location.href).toBe(`${service.url}/login`);
    expect(service.logLines()).toContainEqual(
      expect.objectContaining({ event: 'provider announces no logout' }),
    );
  });

  // What docs/providers/glewlwyd.md warns of.
  test('ends at an empty page where Glewlwyd announces one, because it wants an ID token', async () => {
    const { browser, location } = await signOutAt('announced');
    expect(location.href.startsWith(`${fixture.glewlwyd.issuer('announced')}/end_session?`)).toBe(true);
    expect(await browser.get(location)).toMatchObject({ status: 200, location: undefined, text: '' });
  });
});
