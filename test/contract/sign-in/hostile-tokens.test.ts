import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claims, FORGERIES } from '../../hostile-idp/hostile-tokens.ts';
import { AUDIENCE, startTokenIssuer, type TokenIssuer } from '../../hostile-idp/start-token-issuer.ts';
import { ADMIN, sessionCookie } from '../../harness/api-client.ts';
import { eventually } from '../../harness/eventually.ts';
import { startStack, type Stack } from '../../harness/stack.ts';

let issuer: TokenIssuer;
let other: TokenIssuer;
let stack: Stack;
let namespace: string;

const entry = (name: string, { issuer: url }: TokenIssuer) => ({
  name,
  issuer: url,
  audience: AUDIENCE,
  requiredClaims: { project_id: ['7', '8'] },
});

beforeAll(async () => {
  [issuer, other] = await Promise.all([startTokenIssuer(), startTokenIssuer()]);
  stack = await startStack({
    env: {
      OIDC_ISSUER: 'http://localhost:9',
      OIDC_CLIENT_ID: 'web',
      OIDC_ALLOW_HTTP: 'true',
      SERVICE_TRUSTED_ISSUERS: JSON.stringify([entry('ci', issuer), entry('other', other)]),
    },
  });
  namespace = await stack.namespace();
  await stack.kube.setPolicy(namespace, {
    machines: JSON.stringify([
      { name: 'job', issuer: 'ci', claims: { project_id: '7', ref: 'main' }, level: 'read', secrets: '*' },
    ]),
  });
  await eventually(async () => {
    expect((await call(issuer.token())).status).toBe(200);
  });
}, 60_000);
afterAll(async () => {
  await stack.close();
  await Promise.all([issuer.close(), other.close()]);
});

const call = (token: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(`${stack.service.url}/api/namespaces/${namespace}/secrets`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
  });

/** The reason is in the log of the request alone. */
const reasonOf = (response: Response): unknown =>
  stack.service
    .logLines()
    .find(
      ({ event, requestId }) => event === 'request' && requestId === response.headers.get('x-request-id'),
    )?.['reason'];

async function expectRefused(response: Response, reason: string): Promise<void> {
  expect([response.status, await response.text()]).toEqual([
    401,
    '{"error":"The bearer token is not accepted"}',
  ]);
  expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
  await eventually(() => {
    expect(reasonOf(response)).toBe(reason);
  });
}

const WRITTEN: readonly (readonly [name: string, write: () => string | Promise<string>, reason: string])[] = [
  ['another scheme', () => 'Basic YTpi', 'malformed'],
  ['no token', () => 'Bearer', 'malformed'],
  ['no scheme', () => issuer.token(), 'malformed'],
  ['two tokens', () => `Bearer ${issuer.token()} ${issuer.token()}`, 'malformed'],
  ['two tokens with a comma', () => `Bearer ${issuer.token()},${issuer.token()}`, 'malformed'],
  ['two parts', () => `Bearer ${issuer.token().split('.').slice(0, 2).join('.')}`, 'malformed'],
  ['five parts, as an encrypted token has', () => `Bearer ${issuer.token()}.a.b`, 'malformed'],
  ['padding', () => `Bearer ${issuer.token()}=`, 'malformed'],
  ['base64 instead of base64url', () => `Bearer ${issuer.token().replace('.', '+/.')}`, 'malformed'],
  ['quotes', () => `Bearer "${issuer.token()}"`, 'malformed'],
  [
    'the session of an admin',
    async () => `Bearer ${(await sessionCookie(ADMIN)).replace('service_session=', '')}`,
    'issuerUnknown',
  ],
];

describe('a hostile token', () => {
  it('is tried in at least 80 ways', () => {
    expect(FORGERIES.length + WRITTEN.length).toBeGreaterThanOrEqual(80);
    expect(new Set([...FORGERIES, ...WRITTEN].map(([name]) => name)).size).toBe(
      FORGERIES.length + WRITTEN.length,
    );
  });

  it.each(FORGERIES)('with %s is refused', async (_name, forgery, reason) => {
    const token = issuer.token(typeof forgery === 'function' ? forgery(issuer, other) : forgery);
    // What is over Node's limit for headers is refused before.
    const response = await call(token);
    if (token.length > 16_000) expect(response.status).toBe(431);
    else await expectRefused(response, reason);
  });

  it.each(WRITTEN)('written with %s is refused', async (_name, write, reason) => {
    await expectRefused(await call('', { authorization: await write() }), reason);
  });

  it('beside the session of an admin is refused, and the cookie is not looked at', async () => {
    const cookie = await sessionCookie(ADMIN);
    await expectRefused(await call(issuer.token(claims({ aud: 'web' })), { cookie }), 'audience');
    const other = await stack.namespace();
    const response = await fetch(`${stack.service.url}/api/namespaces/${other}/secrets`, {
      headers: { authorization: `Bearer ${issuer.token()}`, cookie },
    });
    expect(response.status).toBe(403);
  });

  it('in a cookie is no session', async () => {
    const response = await fetch(`${stack.service.url}/api/namespaces/${namespace}/secrets`, {
      headers: { cookie: `service_session=${issuer.token()}` },
    });
    expect([response.status, await response.text()]).toEqual([401, '{"error":"Sign-in required"}']);
  });

  it('in two Authorization headers is 400', async () => {
    const { host, port } = new URL(stack.service.url);
    const token = ['Authorization', `Bearer ${issuer.token()}`];
    const headers = ['Host', host, ...token, ...token];
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request({ port, path: `/api/namespaces/${namespace}/secrets`, headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject).end();
    });
    expect(status).toBe(400);
  });

  it('of an unknown issuer causes no request, to that issuer or a known one', async () => {
    const stranger = await startTokenIssuer();
    const requests = () => [stranger, issuer, other].map((one) => one.requests());
    const before = requests();
    await expectRefused(await call(stranger.token()), 'issuerUnknown');
    expect(requests()).toEqual(before);
    await stranger.close();
  });

  it('does not reach a log line or a metric', async () => {
    const token = issuer.token(claims({ aud: 'c4n4ry-audience', secret: 'c4n4ry-claim' }));
    // Once its line is there, whatever it says has been written.
    await expectRefused(await call(token), 'audience');
    const metrics = await (await fetch(`${stack.service.opsUrl}/metrics`)).text();
    expect(stack.service.output()).not.toContain(token.split('.')[1]);
    expect(`${stack.service.output()}${metrics}`).not.toContain('c4n4ry');
    expect(metrics).toContain('service_machine_tokens_total{issuer="ci",outcome="audience"}');
    expect(metrics).toContain('service_machine_tokens_total{issuer="",outcome="issuerUnknown"}');
  });
});
