import { afterEach, describe, expect, test } from 'vitest';
import { CONFIDENTIAL_CLIENTS, PUBLIC_CLIENT_ID } from '../../../hack/dev-idp/configuration.ts';
import { DEMO_ACCOUNTS } from '../../../hack/dev-idp/accounts.ts';
import { startDevIdp } from '../../../hack/dev-idp/start-dev-idp.ts';
import { SignInFailed, signInOverHttp } from '../../../hack/sign-in-over-http.ts';
import { startAuthServer, type AuthServer } from './auth-server.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
});

/** A service that signs in at a development provider of its own. */
async function startWithDevIdp(client: Readonly<Record<string, string>> = {}): Promise<AuthServer> {
  const service = await startAuthServer({
    environment: async (url) => {
      const idp = await startDevIdp({ port: 0, redirectUris: [`${url}/api/auth/callback`] });
      opened.push(idp);
      return {
        OIDC_ISSUER: idp.issuer,
        OIDC_CLIENT_ID: PUBLIC_CLIENT_ID,
        OIDC_ALLOW_HTTP: 'true',
        SESSION_SECRET: 'b7b0f3c09d1c4c55a7c16a6ce93f7c1a',
        ...client,
      };
    },
  });
  opened.push(service);
  return service;
}

async function whoIs(service: AuthServer, cookie: string): Promise<unknown> {
  const response = await fetch(`${service.url}/api/auth/me`, { headers: { cookie } });
  return response.json();
}

describe('signing in at the development provider', () => {
  test.each(DEMO_ACCOUNTS)('$email arrives with its name and groups', async (account) => {
    const service = await startWithDevIdp();
    const cookie = await signInOverHttp({
      serviceUrl: service.url,
      account: account.email,
      password: account.password,
    });
    const { sub, email, name, groups } = account;
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
      const cookie = await signInOverHttp({
        serviceUrl: service.url,
        account: 'developer-a@example.com',
        password: 'developer-a-password',
      });
      expect(await whoIs(service, cookie)).toMatchObject({ user: { groups: ['team-a'] } });
    },
  );

  test('a wrong client secret fails with the verdict invalid_client', async () => {
    const { id } = CONFIDENTIAL_CLIENTS.client_secret_basic;
    const service = await startWithDevIdp({ OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: 'not the secret' });
    const login = signInOverHttp({
      serviceUrl: service.url,
      account: 'developer-a@example.com',
      password: 'developer-a-password',
    });
    await expect(login).rejects.toThrow('The service refused the login (invalid_client)');
    expect(service.logLines.join('')).toContain('"idpError":"invalid_client"');
  });

  test('a wrong password is refused by the provider', async () => {
    const service = await startWithDevIdp();
    const login = signInOverHttp({
      serviceUrl: service.url,
      account: 'developer-a@example.com',
      password: 'wrong',
    });
    await expect(login).rejects.toThrow(SignInFailed);
  });

  test('a port in use is the listening error, not a hang', async () => {
    const first = await startDevIdp({ port: 0, redirectUris: ['http://localhost:1/api/auth/callback'] });
    opened.push(first);
    const port = Number(new URL(first.issuer).port);
    await expect(startDevIdp({ port, redirectUris: [] })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
