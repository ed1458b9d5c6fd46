import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEVELOPER_A, sessionCookie } from '../../harness/api-client.ts';
import { TEST_SESSION_SECRET } from '../../harness/service-process.ts';
import { forgeSession, honestSession, readForgedSessions } from '../../hostile-idp/forge-session.ts';
import { startServiceFixture, type ComposedService, type Fixture } from './composed-service.ts';

let fixture: Fixture;
let service: ComposedService;
beforeAll(async () => {
  fixture = await startServiceFixture();
  service = await fixture.start();
});
afterAll(() => fixture.close());

/** Routes that answer without a session, by contract. */
const PUBLIC =
  /^\/(api\/auth\/(login|callback|logout|token)|api\/config|api\/openapi\.json|login|pages\.css|)$/;

interface Operation {
  readonly method: string;
  readonly path: string;
}

/** Every route that wants a session, as the service's own description lists them. */
async function protectedOperations(): Promise<readonly Operation[]> {
  const { paths } = (await (await fetch(`${service.url}/api/openapi.json`)).json()) as {
    paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
  return Object.entries(paths)
    .filter(([path]) => !PUBLIC.test(path))
    .flatMap(([path, item]) =>
      Object.keys(item)
        .filter((method) => /^(get|put|post|delete|patch)$/.test(method))
        .map((method) => ({
          method: method.toUpperCase(),
          path: path.replace('{version}', '1').replaceAll(/\{[a-z]+\}/g, 'name'),
        })),
    );
}

async function send({ method, path }: Operation, cookie?: string): Promise<Response> {
  return fetch(`${service.url}${path}`, { method, headers: cookie === undefined ? {} : { cookie } });
}

const ME: Operation = { method: 'GET', path: '/api/auth/me' };

describe('GET /api/auth/me', () => {
  test('answers 200 with the user of the session', async () => {
    const response = await send(ME, await sessionCookie(DEVELOPER_A));
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({ user: DEVELOPER_A });
  });

  test('answers 401 with no user without a session', async () => {
    const response = await send(ME);
    expect(response.status).toBe(401);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({ user: null });
  });
});

describe('sign-out', () => {
  test('by GET clears the cookie and redirects to /login', async () => {
    const response = await fetch(`${service.url}/api/auth/logout`, { redirect: 'manual' });
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe('/login');
    expect(response.headers.get('clear-site-data')).toBe('"cache"');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^service_session=; Max-Age=0; /),
    ]);
  });

  test('by POST clears the cookie and its parts, and answers ok', async () => {
    const response = await fetch(`${service.url}/api/auth/logout`, {
      method: 'POST',
      headers: { cookie: 'service_session=2:a; service_session.1=b' },
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ ok: true });
    expect(response.headers.get('clear-site-data')).toBe('"cache"');
    expect(response.headers.getSetCookie().map((line) => line.split(';')[0])).toEqual([
      'service_session=',
      'service_session.1=',
    ]);
  });

  test('deletes what has the attributes of the session, and nothing of a sibling host', async () => {
    const response = await fetch(`${service.url}/api/auth/logout`, {
      method: 'POST',
      headers: { cookie: 'service_session=a; service_session=planted; service_session_x=y; other=z' },
    });
    expect(response.headers.getSetCookie()).toEqual([
      'service_session=; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/; HttpOnly; SameSite=Lax',
    ]);
  });
});

describe('a forged session', () => {
  const forged = readForgedSessions();

  test('comes in at least 60 kinds, and the one they are made from is valid', async () => {
    expect(forged.length).toBeGreaterThanOrEqual(60);
    expect((await send(ME, honestSession(TEST_SESSION_SECRET))).status).toBe(200);
  });

  test('meets every route that wants a session', async () => {
    const operations = await protectedOperations();
    expect(operations).toContainEqual(ME);
    expect(operations).toContainEqual({ method: 'PUT', path: '/api/namespaces/name/secrets/name' });
    expect(operations.length).toBeGreaterThanOrEqual(9);
  });

  test.each(forged)('is refused with 401 on every route: $name', async (recipe) => {
    const cookie = forgeSession(recipe, TEST_SESSION_SECRET);
    for (const operation of await protectedOperations()) {
      const response = await send(operation, cookie);
      expect([operation, response.status]).toEqual([operation, 401]);
      expect(await response.json()).toEqual(
        operation.path === ME.path ? { user: null } : { error: 'Sign-in required' },
      );
    }
  });

  test('leaves no trace of itself in the log', () => {
    for (const recipe of forged) {
      const token = forgeSession(recipe, TEST_SESSION_SECRET).split('=')[1] ?? '';
      if (token.length > 20) expect(service.log()).not.toContain(token.slice(0, 60));
    }
  });
});
