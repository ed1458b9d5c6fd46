import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeSigningKey } from '../../harness/glewlwyd/signing-keys.ts';
import { ANNA_USER, AWKWARD_SECRET, signIn, startFixture, type Fixture } from './fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
  await fixture.glewlwyd.provide({ name: 'oidc', keys: [makeSigningKey('ES256')] });
});
afterAll(() => fixture.close());

/** Punctuation that openid-client would encode, and that Glewlwyd does not decode. */
const PUNCTUATED_SECRET = "se-cr_et.~/=!*'()&#?,;@$";

const isFailedLogin = (verdict: string) =>
  expect.objectContaining({
    event: 'login failed',
    idpError: verdict,
    stage: 'token',
    status: 403,
    hint: expect.stringContaining('client_secret_post') as string,
  }) as unknown;

describe('how the service authenticates at Glewlwyd', () => {
  test('client_secret_post works, whatever characters the secret has', async () => {
    const client = { secret: AWKWARD_SECRET, authMethod: 'client_secret_post' } as const;
    const service = await fixture.startService({ provider: 'oidc', client });
    expect(await signIn(service.url)).toMatchObject({ landedAt: '/', user: ANNA_USER });
    expect(service.log()).not.toContain(AWKWARD_SECRET);
  });

  test('client_secret_basic, the default, works with letters, digits and punctuation', async () => {
    const service = await fixture.startService({ provider: 'oidc', client: { secret: PUNCTUATED_SECRET } });
    expect(await signIn(service.url)).toMatchObject({ landedAt: '/', user: ANNA_USER });
    expect(service.log()).not.toContain(PUNCTUATED_SECRET);
  });

  test.each(['+', '%41', ':', ' ', 'ü'])(
    'client_secret_basic fails with %j in the secret, which Glewlwyd does not decode, and the log names the cure',
    async (characters) => {
      const secret = `begin${characters}end`;
      const service = await fixture.startService({ provider: 'oidc', client: { secret } });
      expect(await signIn(service.url)).toMatchObject({
        landedAt: '/login?auth=error&idp_error=unauthorized_client',
      });
      expect(service.logLines()).toContainEqual(isFailedLogin('unauthorized_client'));
      expect(service.log()).not.toContain(secret);
    },
  );

  test('a public client works, with PKCE alone', async () => {
    const service = await fixture.startService({ provider: 'oidc' });
    expect(await signIn(service.url)).toMatchObject({ landedAt: '/', user: ANNA_USER });
  });

  test.each(['client_secret_basic', 'client_secret_post'] as const)(
    'a wrong secret by %s fails in the words of Glewlwyd, and is not logged',
    async (authMethod) => {
      const client = { secret: PUNCTUATED_SECRET, authMethod };
      const env = { OIDC_CLIENT_SECRET: 'quite-another-secret' };
      const service = await fixture.startService({ provider: 'oidc', client, env });
      expect(await signIn(service.url)).toMatchObject({
        landedAt: '/login?auth=error&idp_error=unauthorized_client',
        user: null,
      });
      expect(service.logLines()).toContainEqual(isFailedLogin('unauthorized_client'));
      expect(service.log()).not.toContain('quite-another-secret');
    },
  );
});
