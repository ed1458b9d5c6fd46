import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCookieJar, type CookieJar } from '../../../hack/sign-in-cookie-jar.ts';
import { BOUNDED_LINES } from '../../../src/api/runner/audit.ts';
import { DEVELOPER_A, sessionCookie } from '../../harness/api-client.ts';
import { hostileCase, type HostileCase } from '../../hostile-idp/hostile-case.ts';
import { startHostileIdp, type HostileIdp } from '../../hostile-idp/start-hostile-idp.ts';
import {
  startServiceFixture,
  type ComposedService,
  type Environment,
  type Fixture,
} from './composed-service.ts';

const good = hostileCase('nothing is wrong');
const declined = hostileCase('user denies');
const ONCE_SIGNED_IN = { actor: 'user@example.com', subject: sha256('subject') };

let idp: HostileIdp;
let fixture: Fixture;
beforeAll(async () => {
  [idp, fixture] = await Promise.all([startHostileIdp([good, declined]), startServiceFixture()]);
});
afterAll(async () => {
  await fixture.close();
  await idp.close();
});

function start(environment: Readonly<Record<string, string>> = {}, hostile: HostileCase = good) {
  const settings: Environment = {
    OIDC_ISSUER: idp.issuerOf(hostile),
    OIDC_CLIENT_ID: 'hostile-client',
    OIDC_ALLOW_HTTP: 'true',
    ...environment,
  };
  return fixture.start(settings);
}

const auditLines = (service: ComposedService) =>
  service.logLines().filter((line) => line['component'] === 'audit');

async function visit(jar: CookieJar, url: URL): Promise<Response> {
  const response = await fetch(url, { redirect: 'manual', headers: { cookie: jar.header(url) } });
  jar.store(url, response.headers.getSetCookie());
  await response.body?.cancel();
  return response;
}

/** From the login to the callback's answer. */
async function logIn(jar: CookieJar, service: ComposedService): Promise<Response> {
  const begun = await visit(jar, new URL('/api/auth/login', service.url));
  const back = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' });
  return visit(jar, new URL(back.headers.get('location') ?? ''));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function withCookie(
  service: ComposedService,
  path: string,
  cookie: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(new URL(path, service.url), { redirect: 'manual', headers: { cookie, ...headers } });
}

describe.each(['trace', 'error', 'fatal'])('at LOG_LEVEL %s', (LOG_LEVEL) => {
  test('a sign-in and a sign-out are a line each, whoever else signs out in between', async () => {
    const service = await start({ LOG_LEVEL });
    const jar = createCookieJar();
    const signedIn = await logIn(jar, service);
    const token = jar.cookies(new URL(service.url)).get('service_session') ?? '';
    const session = sha256(token);
    await visit(jar, new URL('/api/namespaces/a/secrets/absent', service.url));
    await fetch(new URL('/api/auth/logout', service.url), { method: 'POST' }); // no one
    const signedOut = await visit(jar, new URL('/api/auth/logout', service.url));
    expect(auditLines(service)).toMatchObject([
      {
        action: 'session.signIn',
        outcome: 'succeeded',
        ...ONCE_SIGNED_IN,
        session,
        requestId: signedIn.headers.get('x-request-id'),
        sequence: 1,
      },
      { action: 'secret.read', ...ONCE_SIGNED_IN, session, sequence: 2 },
      {
        action: 'session.signOut',
        outcome: 'succeeded',
        ...ONCE_SIGNED_IN,
        session,
        requestId: signedOut.headers.get('x-request-id'),
        sequence: 3,
      },
    ]);
    for (const line of auditLines(service)) expect(line['clientAddress']).toMatch(/^(127\.0\.0\.1|::1)$/);
    expect(service.log()).not.toContain(token.slice(-43));
  });

  test('a failed sign-in is a line with its code, and names no one', async () => {
    const service = await start({ LOG_LEVEL }, declined);
    await logIn(createCookieJar(), service);
    await withCookie(service, '/api/auth/callback?code=planted-code&state=planted-state', 'x=y');
    expect(auditLines(service)).toMatchObject([
      { action: 'session.signInFailed', outcome: 'failed', code: 'person_declined' },
      { action: 'session.signInFailed', outcome: 'failed', code: 'transaction_incomplete' },
    ]);
    for (const line of auditLines(service)) {
      expect(line).not.toHaveProperty('actor');
      expect(line).not.toHaveProperty('subject');
    }
    expect(service.log()).not.toContain('planted-');
  });
});

describe('a login', () => {
  test('that only begins is no line', async () => {
    const service = await start();
    await visit(createCookieJar(), new URL('/api/auth/login', service.url));
    expect(auditLines(service)).toEqual([]);
  });
});

describe('a session that is not valid', () => {
  const ROUTES = ['/api/auth/me', '/api/namespaces', '/api/namespaces/a/secrets/b'];

  test.each(ROUTES)('is a line at %s, which repeats nothing of it', async (path) => {
    const service = await start();
    const stranger = { ...DEVELOPER_A, email: 'planted@example.com' };
    const forged = await sessionCookie(stranger, 'another-key-0123456789-abcdefghijklmnopq');
    const answer = await withCookie(service, path, forged, { 'x-request-id': 'trace-1' });
    expect(answer.status).toBe(401);
    const [line, ...others] = auditLines(service);
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      action: 'session.refused',
      outcome: 'denied',
      code: 'unauthenticated',
      requestId: answer.headers.get('x-request-id'),
      clientRequestId: 'trace-1',
      session: sha256(forged.split('=')[1] ?? ''),
    });
    expect(line).not.toHaveProperty('actor');
    expect(service.log()).not.toContain('planted');
  });

  test.each(ROUTES)('is none at %s when there is no session at all', async (path) => {
    const service = await start();
    expect((await withCookie(service, path, 'service_session=; other=service_session')).status).toBe(401);
    expect((await fetch(new URL(path, service.url))).status).toBe(401);
    expect(auditLines(service)).toEqual([]);
  });

  test('is a line also when a neighbouring host has planted a second one', async () => {
    const service = await start();
    const genuine = await sessionCookie(DEVELOPER_A);
    expect((await withCookie(service, '/api/auth/me', `${genuine}; service_session=other`)).status).toBe(401);
    expect(auditLines(service)).toMatchObject([{ action: 'session.refused' }]);
  });

  test('does not flood the trail, whoever sends it how often', async () => {
    const service = await start();
    for (let n = 0; n < BOUNDED_LINES + 30; n++) {
      await (await withCookie(service, '/api/auth/me', 'service_session=forged')).text();
    }
    await withCookie(service, '/api/auth/logout', await sessionCookie(DEVELOPER_A));
    await service.close();
    const lines = auditLines(service);
    expect(lines).toHaveLength(BOUNDED_LINES + 2);
    expect(lines.slice(BOUNDED_LINES)).toMatchObject([
      { action: 'session.signOut' },
      { action: 'session.refused', outcome: 'denied', count: 30 },
    ]);
    expect(lines.map((line) => line['sequence'])).toEqual(lines.map((_, index) => index + 1));
  });
});

describe("the client's address", () => {
  const refusedFrom = async (environment: Readonly<Record<string, string>>, forwarded: string) => {
    const service = await start(environment);
    await withCookie(service, '/api/auth/me', 'service_session=forged', { 'x-forwarded-for': forwarded });
    return auditLines(service)[0]?.['clientAddress'];
  };

  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8::9', '2001:db8::9'],
    ['198.51.100.1, 203.0.113.9', '203.0.113.9'],
    ['203.0.113.9:4711', '203.0.113.9'],
    ['[2001:db8::9]:4711', '2001:db8::9'],
    ['[2001:db8::9]', '2001:db8::9'],
    ['203.0.113.9:', 'unknown'],
    ['planted {"actor":"admin"}', 'unknown'],
    ['x'.repeat(5_000), 'unknown'],
  ])('is what a trusted proxy says, where that is an address: %s', async (forwarded, logged) => {
    expect(await refusedFrom({ TRUST_PROXY: '1' }, forwarded)).toBe(logged);
  });

  test('is that of the connection when no proxy is trusted', async () => {
    expect(await refusedFrom({}, '203.0.113.9')).toMatch(/^(127\.0\.0\.1|::1)$/);
  });
});
