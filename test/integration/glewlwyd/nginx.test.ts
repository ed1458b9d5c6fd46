import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signInAtGlewlwyd } from '../../harness/glewlwyd/sign-in.ts';
import { startBehindNginx, type BehindNginx, type Front, type Protocol } from './behind-nginx.ts';
import { ANNA, ANNA_USER, whoIs } from './fixture.ts';
import { eventually } from '../../harness/eventually.ts';

let behind: BehindNginx;
const MEMBER = { username: 'member', password: 'the password of member' };
/** 15 characters each, as many as docs/sign-in.md says that a session holds. */
const GROUPS = Array.from({ length: 450 }, (_, index) => `group-name-${String(index).padStart(4, '0')}`);
beforeAll(async () => {
  behind = await startBehindNginx();
  await behind.glewlwyd.addUser({ ...ANNA, ...ANNA_USER });
  await behind.glewlwyd.addUser({ ...MEMBER, email: 'member@example.com', groups: GROUPS });
  // Five processes are started one after the other.
}, 120_000);
afterAll(() => behind.close());

const PROTOCOLS: readonly Protocol[] = ['HTTP/1.1', 'HTTP/2'];

const signIn = async (front: Front, protocol: Protocol, account: typeof ANNA) => {
  const browser = behind.browser(protocol);
  return { browser, callback: await signInAtGlewlwyd(browser, front.url, account) };
};

describe.each(PROTOCOLS)('in production behind nginx with TLS, by %s', (protocol) => {
  test('a login works with the defaults of nginx, and its cookies are Secure', async () => {
    const { browser, callback } = await signIn(behind.plain, protocol, ANNA);
    expect(callback).toMatchObject({ status: 302, location: '/' });
    expect(await whoIs(browser, behind.plain.url)).toMatchObject(ANNA_USER);
    for (const line of callback.setCookies)
      expect(line).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
    expect(callback.setCookies.map((line) => line.split('=')[0])).toEqual([
      '__Host-service_login_state',
      '__Host-service_login_nonce',
      '__Host-service_login_verifier',
      'service_session',
    ]);
  });

  test('the login ends with the logout', async () => {
    const { browser } = await signIn(behind.plain, protocol, ANNA);
    const { status } = await browser.get(new URL('/api/auth/logout', behind.plain.url));
    expect(status).toBe(302);
    expect(await whoIs(browser, behind.plain.url)).toBeNull();
  });

  test('the defaults of nginx make 502 of the callback of someone in 450 groups, who is not signed in', async () => {
    const { browser, callback } = await signIn(behind.plain, protocol, MEMBER);
    expect(callback).toMatchObject({ status: 502, setCookies: [] });
    expect(await whoIs(browser, behind.plain.url)).toBeNull();
    await eventually(() => {
      expect(behind.nginx.hasLogged('upstream sent too big header')).toBe(true);
      // What an operator finds in the log of the service, which answered well.
      expect(behind.plain.service.logLines()).toContainEqual(
        expect.objectContaining({ event: 'sign-in answers exceed what proxies take by default' }),
      );
    });
  });

  test('450 groups work with the defaults of nginx and SERVICE_COMPACT_SESSIONS', async () => {
    const { browser, callback } = await signIn(behind.compact, protocol, MEMBER);
    expect(callback).toMatchObject({ status: 302, location: '/' });
    expect(await whoIs(browser, behind.compact.url)).toMatchObject({ groups: GROUPS });
  });

  test('450 groups work with the buffers of docs/sign-in.md', async () => {
    const { browser, callback } = await signIn(behind.documented, protocol, MEMBER);
    expect(callback).toMatchObject({ status: 302, location: '/' });
    expect(await whoIs(browser, behind.documented.url)).toMatchObject({ groups: GROUPS });
  });
});

describe('requests of someone in 450 groups, behind the defaults of nginx for requests', () => {
  test.each([
    ['HTTP/1.1', 400],
    ['HTTP/2', 200],
  ] as const)('by %s are answered %i', async (protocol, status) => {
    const { browser } = await signIn(behind.documented, protocol, MEMBER);
    // Cookies know no ports, so that the session is sent there, too; and the key is the same.
    expect((await browser.get(new URL('/api/auth/me', behind.plain.url))).status).toBe(status);
  });
});

test('neither secrets nor claims are in the logs of the services', () => {
  for (const { service } of [behind.plain, behind.compact, behind.documented]) {
    expect(service.output()).not.toContain('group-name-0001');
    expect(service.output()).not.toContain('a-secret_with');
  }
});
