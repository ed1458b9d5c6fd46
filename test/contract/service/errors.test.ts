import { describe, expect, it } from 'vitest';
import { ADMIN, clientFor, DEVELOPER_A, sessionCookie, type ApiAnswer } from '../../harness/api-client.ts';
import { errorOf, jsonOf, secretOf } from '../../harness/answers.ts';
import { rawRequest } from '../../harness/raw-request.ts';
import { secretsPath, stateOf } from '../../harness/secret-paths.ts';
import { openErrorsFixture } from './errors-fixture.ts';

const { here, secret } = openErrorsFixture();

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('every answer', () => {
  const cases: readonly (readonly [what: string, status: number, send: () => Promise<ApiAnswer>])[] = [
    ['a read', 200, () => here.stack.admin.get(secretsPath(here.namespace, 'live'))],
    ['a list', 200, () => here.stack.admin.get(secretsPath(here.namespace))],
    ['a creation', 201, () => here.stack.admin.post(secretsPath(here.namespace), { name: 'another' })],
    ['the configuration', 200, () => here.stack.anonymous.get('/api/config')],
    ['the OpenAPI document', 200, () => here.stack.anonymous.get('/api/openapi.json')],
    ['signed out', 401, () => here.stack.anonymous.get('/api/auth/me')],
    ['a page', 200, () => here.stack.anonymous.get('/login')],
    ['a sign-out', 302, () => here.stack.anonymous.get('/api/auth/logout')],
    ['a failed login', 302, () => here.stack.anonymous.get('/api/auth/callback')],
    ['a login that is not configured', 501, () => here.stack.anonymous.get('/api/auth/login')],
    ['an invalid request', 400, () => here.stack.admin.post(secretsPath(here.namespace), {})],
    ['anonymous', 401, () => here.stack.anonymous.get(secretsPath(here.namespace))],
    [
      'a write from another site',
      403,
      () => here.stack.admin.post('/', {}, { headers: { 'sec-fetch-site': 'cross-site' } }),
    ],
    ['an absent Secret', 404, () => here.stack.admin.get(secretsPath(here.namespace, 'absent'))],
    ['an unknown route', 404, () => here.stack.anonymous.get('/api/unknown')],
    ['another method', 405, () => here.stack.anonymous.send('PATCH', '/api/config')],
    ['a conflict', 409, () => here.stack.admin.post(secretsPath(here.namespace), { name: 'live' })],
    [
      'another content type',
      415,
      () => here.stack.admin.send('POST', secretsPath(here.namespace), { body: 'x' }),
    ],
    [
      'a type rule',
      422,
      () => here.stack.admin.post(secretsPath(here.namespace), { name: 'tls', type: 'kubernetes.io/tls' }),
    ],
  ];

  it.each(cases)('%s (%i): no-store, a request id, and errors as {error}', async (what, status, send) => {
    const answer = await send();
    expect(answer.status).toBe(status);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-request-id')).toMatch(UUID);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('x-powered-by')).toBeNull();
    expect(answer.headers.get('etag')).toBeNull();
    if (what === 'signed out') expect(answer.json).toEqual({ user: null });
    else if (status >= 400) errorOf(answer, status);
    if (status >= 400) expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('is whole to a conditional GET: nothing has a validator', async () => {
    const headers = { cookie: await sessionCookie(ADMIN), 'if-none-match': '*' };
    for (const path of [secretsPath(here.namespace, 'live'), '/api/config', '/login']) {
      // Not by fetch, which adds Cache-Control: no-cache.
      const { status, text } = await rawRequest(here.stack.service.url, { path, headers });
      expect([path, status, text.length > 0]).toEqual([path, 200, true]);
    }
  });

  it('carries a request id of its own, never the one that the client sent', async () => {
    const own = '11111111-2222-4333-8444-555555555555';
    for (const id of [own, 'trace.1_a-B', 'x'.repeat(65), 'a b', 'a;b', 'ä', '{"a":1}', 'a, b']) {
      const answer = await here.stack.anonymous.get('/api/unknown', { headers: { 'x-request-id': id } });
      expect(answer.headers.get('x-request-id')).toMatch(UUID);
      expect(answer.headers.get('x-request-id')).not.toBe(id);
    }
  });

  it.each([
    ['trace.1_a-B', 'trace.1_a-B'],
    ['x'.repeat(64), 'x'.repeat(64)],
    ['x'.repeat(65), undefined],
    ['a b', undefined],
    ['a, b', undefined],
    ['ä', undefined],
    ['{"a":1}', undefined],
    ['a\u009b31m', undefined],
  ])('logs the client id %j as clientRequestId when it is a plain token', async (id, logged) => {
    const answer = await here.stack.anonymous.get('/api/unknown', { headers: { 'x-request-id': id } });
    const requestId = answer.headers.get('x-request-id');
    const lineOf = () => here.stack.service.logLines().find((line) => line['requestId'] === requestId);
    await expect.poll(lineOf).toBeDefined();
    expect(lineOf()?.['clientRequestId']).toBe(logged);
  });
});

describe('methods', () => {
  it.each([
    ['OPTIONS', secretsPath('ns', 'a'), 'GET, HEAD, PUT, PATCH, DELETE'],
    ['POST', secretsPath('ns', 'a'), 'GET, HEAD, PUT, PATCH, DELETE'],
    ['PATCH', secretsPath('ns'), 'GET, HEAD, POST'],
    ['PUT', secretsPath('ns', 'a', 'keys/a'), 'GET, HEAD'],
    ['PUT', secretsPath('ns'), 'GET, HEAD, POST'],
    ['DELETE', secretsPath('ns'), 'GET, HEAD, POST'],
    ['OPTIONS', secretsPath('ns'), 'GET, HEAD, POST'],
    ['GET', secretsPath('ns', 'a', 'restore'), 'POST'],
    ['HEAD', secretsPath('ns', 'a', 'restore'), 'POST'],
    ['POST', secretsPath('ns', 'a', 'versions'), 'GET, HEAD'],
    ['PUT', secretsPath('ns', 'a', 'versions/1'), 'GET, HEAD'],
    ['POST', secretsPath('ns', 'a', 'consumers'), 'GET, HEAD'],
    ['GET', secretsPath('ns', 'a', 'restart'), 'POST'],
    ['POST', '/api/namespaces', 'GET, HEAD'],
    ['DELETE', '/api/auth/logout', 'GET, POST'],
    ['HEAD', '/api/auth/logout', 'GET, POST'],
    ['PROPFIND', '/api/config', 'GET, HEAD'],
  ])('%s %s answers 405 with Allow, before a session is required', async (method, path, allow) => {
    const answer = await here.stack.anonymous.send(method, path);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
  });

  it('HEAD answers as GET does, without the body', async () => {
    for (const path of [
      secretsPath(here.namespace, 'live'),
      secretsPath(here.namespace),
      secretsPath(here.namespace, 'absent'),
    ]) {
      const [head, get] = [await here.stack.admin.send('HEAD', path), await here.stack.admin.get(path)];
      expect([head.status, head.text, head.headers.get('cache-control')]).toEqual([
        get.status,
        '',
        'no-store',
      ]);
      expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
    }
  });
});

describe('routes', () => {
  it.each([
    '/api',
    '/api/',
    '/api/namespaces/',
    '/api/namespaces/ns',
    '/api/namespaces/ns/secrets/',
    '/api/namespaces/ns/secrets/a/',
    '/api/namespaces/ns/secrets/a/unknown',
    '/api/namespaces/ns/secrets/a/versions/1/more',
    '/API/namespaces',
    '/api/Namespaces',
    '/metrics',
    '/livez',
    '/readyz',
    '/favicon.ico',
  ])('%s is no route: 404', async (path) => {
    for (const method of ['GET', 'POST']) {
      expect(errorOf(await here.stack.admin.send(method, path), 404)).toBe(
        'There is nothing at this address',
      );
    }
  });
});

describe('a write from another site', () => {
  const foreign = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'Cross-Site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://elsewhere.example' },
    { origin: 'null' },
    { origin: 'not an origin' },
  ];

  it.each(foreign.map((headers) => [JSON.stringify(headers), headers] as const))(
    '%s answers 403 before anything else',
    async (_what, headers) => {
      const before = await stateOf(here.stack.kube, here.namespace);
      const live = secretsPath(here.namespace, 'live');
      for (const [client, method, path] of [
        [here.stack.admin, 'POST', secretsPath(here.namespace)],
        [here.stack.admin, 'PUT', live],
        [here.stack.admin, 'DELETE', `${live}?resourceVersion=${secret.resourceVersion}`],
        [here.stack.admin, 'POST', `${live}/restore`],
        [here.stack.admin, 'POST', `${live}/restart`],
        [here.stack.anonymous, 'POST', secretsPath(here.namespace)],
        [here.stack.anonymous, 'POST', '/api/auth/logout'],
        [here.stack.anonymous, 'POST', '/api/unknown'],
        [here.stack.anonymous, 'PATCH', '/api/config'],
        [here.stack.anonymous, 'PUT', secretsPath('Bad_Name', '%zz')],
      ] as const) {
        const answer = await client.send(method, path, {
          body: '{',
          headers: { 'content-type': 'text/plain', ...headers },
        });
        expect(errorOf(answer, 403), `${method} ${path}`).toBe('Writes from another site are refused');
      }
      expect(await stateOf(here.stack.kube, here.namespace)).toEqual(before);
    },
  );

  it('reads are no writes', async () => {
    for (const headers of foreign)
      secretOf(await here.stack.admin.get(secretsPath(here.namespace, 'live'), { headers }));
  });

  it('the own site, and clients that are no browsers, may write', async () => {
    const own = [
      { origin: 'http://localhost:4567', 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
      {},
    ];
    const service = await here.stack.anotherService({
      env: { NEXT_PUBLIC_APP_URL: 'http://localhost:4567/base' },
    });
    const client = await clientFor(service.url, ADMIN);
    for (const [index, headers] of own.entries()) {
      const answer = await client.post(secretsPath(here.namespace), { name: `own-${index}` }, { headers });
      secretOf(answer, 201);
    }
  });
});

describe('rate limits', () => {
  it('beyond SERVICE_RATE_LIMIT a session gets 429 with Retry-After; others do not', async () => {
    const { url } = await here.stack.anotherService({
      env: { SERVICE_RATE_LIMIT: '2/1m', SERVICE_LOGIN_RATE_LIMIT: '1/1m' },
    });
    const [first, second, noSession] = await Promise.all([
      clientFor(url, ADMIN),
      clientFor(url, DEVELOPER_A),
      clientFor(url),
    ]);
    for (let request = 1; request <= 2; request++) jsonOf(await first.get('/api/namespaces'), 200);
    const refused = await first.get(secretsPath(here.namespace, 'live'));
    expect(errorOf(refused, 429)).toBe('Too many requests; try again later');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    jsonOf(await second.get('/api/namespaces'), 200);
    jsonOf(await first.get('/api/config'), 200);
    expect((await noSession.get('/api/auth/callback')).status).toBe(302);
    expect(errorOf(await noSession.get('/api/auth/callback'), 429)).toMatch(/Too many/);
  });
});
