import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_ACCOUNTS } from '../../hack/dev-idp/accounts.ts';
import { SignInFailed, signInOverHttp } from '../../hack/sign-in-over-http.ts';
import { errorOf } from '../harness/answers.ts';
import { clientWith } from '../harness/api-client.ts';
import { ADMIN, openFixture, type Fixture } from './fixture.ts';

let fixture: Fixture;
beforeAll(() => {
  fixture = openFixture();
});
afterAll(() => fixture.close());

describe('signing in at the provider', () => {
  it.each(DEMO_ACCOUNTS)('$email arrives with its name and groups', async ({ sub, email, name, groups }) => {
    const client = await fixture.signIn(email);
    const me = await client.get('/api/auth/me');
    expect([me.status, me.json]).toEqual([200, { user: { sub, email, name, groups } }]);
  });

  it('with a wrong password gives no session', async () => {
    const login = signInOverHttp({ serviceUrl: fixture.serviceUrl, account: ADMIN, password: 'wrong' });
    await expect(login).rejects.toThrow(SignInFailed);
  });

  it('is counted, and described as configured', async () => {
    await fixture.signIn(ADMIN);
    const config = await clientWith(fixture.serviceUrl, {}).get('/api/config');
    expect(config.json).toMatchObject({ authDisabled: false, oidcConfigured: true });
    const metrics = await (await fetch(`${fixture.opsUrl}/metrics`)).text();
    expect(metrics).toMatch(/^service_sign_ins_total\{.*\} [1-9]/m);
  });
});

describe('without a session', () => {
  it.each([
    ['no-one', {}],
    ['a forger', { cookie: `service_session=${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.` }],
  ])('%s is sent to the sign-in page', async (_who, cookie) => {
    const client = clientWith(fixture.serviceUrl, cookie);
    expect(errorOf(await client.get('/api/namespaces'), 401)).toBe('Sign-in required');
    const me = await client.get('/api/auth/me');
    expect([me.status, me.json]).toEqual([401, { user: null }]);
  });

  it('signing out takes the cookie back', async () => {
    const client = await fixture.signIn(ADMIN);
    const answer = await client.post('/api/auth/logout', {});
    expect([answer.status, answer.json]).toEqual([200, { ok: true }]);
    expect(answer.headers.getSetCookie().join()).toMatch(/service_session=;/);
  });
});

it('the operations port says that the service is live and ready', async () => {
  for (const probe of ['livez', 'readyz']) {
    const answer = await fetch(`${fixture.opsUrl}/${probe}`);
    expect([probe, answer.status]).toEqual([probe, 200]);
  }
});
