import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeSigningKey } from '../../harness/glewlwyd/signing-keys.ts';
import { ANNA_USER, AWKWARD_SECRET, signIn, startFixture, type Fixture } from './fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
  await fixture.glewlwyd.provide({ name: 'oidc', keys: [makeSigningKey('ES256')] });
});
afterAll(() => fixture.close());

const POST = { secret: AWKWARD_SECRET, authMethod: 'client_secret_post' } as const;

describe('how the service authenticates at Glewlwyd', () => {
  test('client_secret_post works, whatever characters the secret has', async () => {
    const service = await fixture.startService({ provider: 'oidc', client: POST });
    expect(await signIn(service.url)).toMatchObject({ landedAt: '/', user: ANNA_USER });
    expect(service.log()).not.toContain(AWKWARD_SECRET);
  });

  test('a public client works, with PKCE alone', async () => {
    const service = await fixture.startService({ provider: 'oidc' });
    expect(await signIn(service.url)).toMatchObject({ landedAt: '/', user: ANNA_USER });
  });

  test('a wrong secret fails in the words of Glewlwyd, and is not logged', async () => {
    const env = { OIDC_CLIENT_SECRET: 'quite another secret' };
    const service = await fixture.startService({ provider: 'oidc', client: POST, env });
    expect(await signIn(service.url)).toMatchObject({
      landedAt: '/login?auth=error&idp_error=unauthorized_client',
      user: null,
    });
    expect(service.logLines()).toContainEqual(
      expect.objectContaining({ event: 'login failed', idpError: 'unauthorized_client' }),
    );
    expect(service.log()).not.toContain('quite another secret');
  });
});
