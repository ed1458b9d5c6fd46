import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEVELOPER_A, sessionCookie } from '../../harness/api-client.ts';
import { TEST_SESSION_SECRET } from '../../harness/service-process.ts';
import { forgeSession } from '../../hostile-idp/forge-session.ts';
import { startServiceFixture, type Fixture } from './composed-service.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startServiceFixture();
});
afterAll(() => fixture.close());

const PROVIDER = { OIDC_ISSUER: 'http://localhost:9', OIDC_CLIENT_ID: 'client', OIDC_ALLOW_HTTP: 'true' };

async function meStatus(url: string, cookie: string): Promise<number> {
  return (await fetch(`${url}/api/auth/me`, { headers: { cookie } })).status;
}

describe('the signing key', () => {
  test.each([
    ['missing', ''],
    ['short', 'only-thirty-one-characters-long'],
    ['whitespace only', ' '.repeat(40)],
    ['a former fallback key', 'dev-secret-change-me-in-production'],
  ])('%s: the service starts, but login is 502 and no cookie authenticates', async (_case, key) => {
    const service = await fixture.start({ ...PROVIDER, SESSION_SECRET: key });
    expect((await fetch(`${service.url}/api/config`)).status).toBe(200);

    const login = await fetch(`${service.url}/api/auth/login`, { redirect: 'manual' });
    expect(login.status).toBe(502);
    const { error } = (await login.json()) as { error: string };
    expect(error).toContain('(invalid_signing_key)');
    expect(error).toContain('SESSION_SECRET');
    if (key !== '') expect(`${error}${service.log()}`).not.toContain(key);

    // Even a session that is signed with this very key.
    expect(await meStatus(service.url, forgeSession({ name: 'by the book' }, key))).toBe(401);
  });

  test('is shared by replicas, and its change invalidates sessions', async () => {
    const [one, other, changed] = await Promise.all([
      fixture.start(),
      fixture.start(),
      fixture.start({ SESSION_SECRET: `${TEST_SESSION_SECRET}-new` }),
    ]);
    const cookie = await sessionCookie(DEVELOPER_A);
    expect(await meStatus(one.url, cookie)).toBe(200);
    expect(await meStatus(other.url, cookie)).toBe(200);
    expect(await meStatus(changed.url, cookie)).toBe(401);
  });
});
