import type { ClientHttp2Session } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate } from '../../fakes/certificate.ts';
import { ADMIN, sessionCookie } from '../../harness/api-client.ts';
import {
  answerOf,
  connectHttp2,
  overHttp1,
  overHttp2,
  tlsSettings,
  type TlsAnswer,
  type TlsRequest,
} from '../../harness/both-protocols.ts';
import { startStack, type Stack } from '../../harness/stack.ts';

const certificate = makeCertificate('service');
const { cert } = certificate;
const tls = tlsSettings(certificate);
const JSON_BODY = { 'content-type': 'application/json' };

let stack: Stack;
let port: number;
let namespace: string;
let session: ClientHttp2Session;
let cookie: string;

beforeAll(async () => {
  stack = await startStack({ env: { ...tls.env, SERVICE_RESTART_ENABLED: 'true' } });
  port = Number(new URL(stack.service.url).port);
  namespace = await stack.namespace();
  session = await connectHttp2(port, cert);
  cookie = await sessionCookie(ADMIN);
});
afterAll(async () => {
  session.destroy();
  // Node warns once of a field that HTTP/2 does not have.
  expect(stack.service.output()).not.toMatch(/Warning/);
  await stack.close();
  tls.remove();
});

/** What both protocols have in common: not the connection's own fields, the time, and the id. */
function comparable({ status, headers, body }: TlsAnswer) {
  const own = ['connection', 'keep-alive', 'transfer-encoding', 'date', 'x-request-id'];
  expect(headers['date']).toMatch(/ GMT$/);
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  const shared = Object.entries(headers).filter(([name]) => !own.includes(name));
  return { status, headers: Object.fromEntries(shared), body: body.toString('latin1') };
}

async function compare(request: TlsRequest): Promise<TlsAnswer> {
  const [one, two] = [await overHttp1(port, cert, request), await overHttp2(session, request)];
  expect(comparable(two), JSON.stringify(request).slice(0, 200)).toEqual(comparable(one));
  expect(two.headers).not.toHaveProperty('connection');
  return two;
}

const signedIn = (method: string, path: string, more: Partial<TlsRequest> = {}): TlsRequest => ({
  ...{ method, path, ...more },
  headers: { cookie, ...more.headers },
});

const secrets = (): string => `/api/namespaces/${namespace}/secrets`;

describe('a port with a certificate', () => {
  it('speaks HTTP/2 and HTTP/1.1 at the choice of the client, which may have none', async () => {
    const chosen = async (ALPNProtocols: string[] | undefined) => {
      const socket = connectTls({
        port,
        host: '127.0.0.1',
        servername: 'localhost',
        ca: cert,
        ...(ALPNProtocols && { ALPNProtocols }),
      });
      await new Promise((resolve) => socket.once('secureConnect', resolve));
      socket.destroy();
      return socket.alpnProtocol;
    };
    expect(await chosen(['h2', 'http/1.1'])).toBe('h2');
    expect(await chosen(['http/1.1'])).toBe('http/1.1');
    expect(await chosen(undefined)).toBe(false);
  });
});

describe('over HTTP/2 as over HTTP/1.1', () => {
  it('a Secret is created, read, listed, changed and deleted', async () => {
    const body = JSON.stringify({ name: 'over-http2', type: 'Opaque', data: { key: 'value' } });
    const created = await overHttp2(session, signedIn('POST', secrets(), { headers: JSON_BODY, body }));
    expect([created.status, created.body.toString()]).toEqual([201, expect.stringContaining('over-http2')]);
    const read = await compare(signedIn('GET', `${secrets()}/over-http2`));
    expect(read.status).toBe(200);
    expect((await compare(signedIn('GET', secrets()))).status).toBe(200);
    expect((await compare(signedIn('GET', '/api/namespaces'))).status).toBe(200);
    expect((await compare(signedIn('HEAD', `${secrets()}/over-http2`))).body.byteLength).toBe(0);
    const gone = await overHttp2(session, signedIn('DELETE', `${secrets()}/over-http2`));
    expect(gone.status).toBeLessThan(500);
  });

  it.each([
    ['no session', 'GET', '/api/namespaces', 401],
    ['an unknown address', 'GET', '/api/nothing', 404],
    ['another method', 'PUT', '/api/config', 405],
    ['OPTIONS', 'OPTIONS', '/api/config', 405],
    ['the configuration', 'GET', '/api/config', 200],
    ['its header', 'HEAD', '/api/config', 200],
    ['a page', 'GET', '/', 200],
    ['a page that does not exist', 'GET', '/nothing/at/all', 404],
    ['a malformed path', 'GET', '/api/namespaces/%ff/secrets', 400],
    ['a sign-in that is not configured or redirects', 'GET', '/api/auth/login', 302],
  ])('%s', async (_what, method, path, status) => {
    const answer = await compare({ method, path, headers: { accept: 'text/html,*/*' } });
    if (path !== '/api/auth/login') expect(answer.status).toBe(status);
  });

  it('assets are compressed', async () => {
    const page = await compare({ method: 'GET', path: '/' });
    const path = /src="(\/assets\/frame-[^"]+\.js)"/.exec(page.body.toString())?.[1] ?? '';
    const asset = await compare({ method: 'GET', path, headers: { 'accept-encoding': 'gzip, br' } });
    expect([asset.status, asset.headers['content-encoding']]).toEqual([200, 'gzip']);
  });

  it.each([
    ['malformed JSON', JSON_BODY, '{"name"', 400],
    ['another type', { 'content-type': 'text/plain' }, 'text', 415],
    ['compression', { ...JSON_BODY, 'content-encoding': 'gzip' }, '{}', 415],
    ['another site', { ...JSON_BODY, origin: 'https://elsewhere.example' }, '{}', 403],
    ['a structure that is too deep', JSON_BODY, '['.repeat(100), 413],
    ['an empty object', JSON_BODY, '{}', 400],
    ['an announced length that is too long', { ...JSON_BODY, 'content-length': '16777217' }, undefined, 413],
  ])('a body is refused: %s', async (_what, headers, body, status) => {
    const wanted = signedIn('POST', secrets(), { headers, ...(body !== undefined && { body }) });
    if (body !== undefined) expect((await compare(wanted)).status).toBe(status);
    else {
      const stream = session.request(
        { ':method': 'POST', ':path': secrets(), cookie, ...headers },
        { endStream: false },
      );
      stream.on('error', () => undefined);
      expect((await answerOf(stream)).status).toBe(status);
    }
  });

  it.each([
    ['none', {}, undefined, 200],
    ['a consumer that is none', JSON_BODY, '{"consumers":[{"kind":"Deployment","name":"none"}]}', 422],
    ['malformed JSON', JSON_BODY, '{', 400],
    ['another type', { 'content-type': 'text/plain' }, 'text', 415],
    ['one that is too long', JSON_BODY, `"${'x'.repeat(17 * 2 ** 20)}"`, 413],
  ])('a body that may be missing counts where it is sent: %s', async (_what, headers, body, status) => {
    const post = async (path: string, wanted: Partial<TlsRequest>) =>
      (await overHttp2(session, signedIn('POST', path, wanted))).status;
    const name = `restarted-${String(status)}`;
    expect(await post(secrets(), { headers: JSON_BODY, body: JSON.stringify({ name }) })).toBe(201);
    const wanted = { headers, ...(body !== undefined && { body }) };
    expect(await post(`${secrets()}/${name}/restart`, wanted)).toBe(status);
  });

  it('a body that is too long is answered while it is sent, and the rest of it is refused', async () => {
    const stream = session.request({ ':method': 'POST', ':path': secrets(), cookie, ...JSON_BODY });
    stream.on('error', () => undefined);
    stream.write(`"${'x'.repeat(17 * 2 ** 20)}`);
    const closed = new Promise((resolve) => stream.once('close', resolve));
    const answer = await answerOf(stream);
    expect([answer.status, answer.body.toString()]).toEqual([413, expect.stringContaining('16 MiB')]);
    await closed;
    expect(stream.rstCode).toBe(0);
    expect((await overHttp2(session, signedIn('GET', '/api/config'))).status).toBe(200);
  });

  it('a session whose cookies are fields of their own is one', async () => {
    const pieces = ['first=1', ...cookie.split('; '), 'last=2'];
    const answer = await overHttp2(session, {
      method: 'GET',
      path: '/api/namespaces',
      headers: { cookie: pieces },
    });
    expect(answer.status).toBe(200);
  });

  it.each([['authorization'], ['origin'], ['content-type'], ['sec-fetch-site']])(
    'two fields %s are refused',
    async (name) => {
      const answer = await overHttp2(session, {
        method: 'GET',
        path: '/api/config',
        headers: { [name]: ['a', 'b'] },
      }).catch((error: unknown) => error as NodeJS.ErrnoException);
      // The client of Node sends no such request.
      expect('status' in answer ? answer.status : answer.code).toSatisfy(
        (it: unknown) => it === 400 || it === 'ERR_HTTP2_HEADER_SINGLE_VALUE',
      );
    },
  );

  it('the host is that of :authority, and a Host field may only repeat it', async () => {
    const with_ = async (headers: Record<string, string>) =>
      (await overHttp2(session, { method: 'GET', path: '/api/config', headers })).status;
    expect(await with_({ host: `localhost:${String(port)}` })).toBe(200);
    expect(await with_({ ':authority': `localhost:${String(port)}`, host: 'elsewhere.example' })).toBe(400);
    expect(await with_({ ':authority': 'a,b' })).toBe(400);
  });

  it('a path that is no address is answered 400', async () => {
    for (const path of ['//', '//[::bad/', '/api/config#x']) {
      const { status, body } = await overHttp2(session, { method: 'GET', path });
      const error = 'The request target is not an address';
      expect([status, JSON.parse(body.toString())], path).toEqual([400, { error }]);
    }
  });

  it('too many and too large header fields are answered 431', async () => {
    const fields = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${String(index)}`, '1']));
    const answerTo = async (headers: Record<string, string>, query = '') => {
      const path = `/api/config?${query}`;
      const { status, body } = await overHttp2(session, { method: 'GET', path, headers });
      return status === 431 ? (JSON.parse(body.toString()) as { readonly error: string }).error : status;
    };
    expect(await answerTo(fields(99))).toBe(200);
    expect(await answerTo(fields(100))).toBe('The request has too many header fields');
    const tooLarge = 'The header fields of the request are too large';
    expect(await answerTo({ 'x-large': 'x'.repeat(16_000) })).toBe(200);
    expect(await answerTo({ 'x-large': 'x'.repeat(17_000) })).toBe(tooLarge);
    expect(await answerTo({}, 'x'.repeat(17_000))).toBe(tooLarge);
    // Beyond twice as much, Node does not even keep them.
    await expect(answerTo({ 'x-large': 'x'.repeat(40_000) })).rejects.toThrow();
    expect(await answerTo({})).toBe(200);
  });

  it('an expectation is ignored, and 100-continue is answered', async () => {
    const path = '/api/config';
    expect((await overHttp2(session, { method: 'GET', path, headers: { expect: 'nonsense' } })).status).toBe(
      200,
    );
    const stream = session.request({
      ':method': 'POST',
      ':path': secrets(),
      cookie,
      ...JSON_BODY,
      expect: '100-continue',
    });
    await new Promise((resolve) => stream.once('continue', resolve));
    stream.end('{}');
    expect((await answerOf(stream)).status).toBe(400);
  });

  it('unknown methods and CONNECT are refused', async () => {
    expect((await overHttp2(session, { method: 'BREW', path: '/api/config' })).status).toBe(405);
    const tunnel = session.request({ ':method': 'CONNECT', ':authority': 'elsewhere.example:443' });
    expect((await answerOf(tunnel)).status).toBe(405);
  });

  it('a request that is reset is in the log as 499, and leaves its seat', async () => {
    for (let index = 0; index < 40; index++) {
      const method = index % 2 === 0 ? 'GET' : 'HEAD';
      const stream = session.request({ ':method': method, ':path': secrets(), cookie });
      stream.on('error', () => undefined);
      await sleep(index % 5);
      stream.close(8);
    }
    const upload = session.request({ ':method': 'POST', ':path': secrets(), cookie, ...JSON_BODY });
    upload.on('error', () => undefined);
    upload.write('{}');
    const readMetrics = async () => (await fetch(`${stack.service.opsUrl}/metrics`)).text();
    await expect.poll(readMetrics).toMatch(/^service_request_body_bytes 2$/m);
    upload.close(8);
    await expect.poll(() => stack.service.logLines().some(({ status }) => status === 499)).toBe(true);
    await expect.poll(readMetrics).toMatch(/^service_http_requests_in_flight 0$/m);
    const metrics = await readMetrics();
    for (const state of ['working', 'waiting_for_client', 'queued'])
      expect(metrics).toContain(`service_cluster_work{state="${state}"} 0`);
    expect(metrics).toMatch(/^service_request_body_bytes 0$/m);
    expect(metrics).not.toMatch(/status="500"/);
  });
});
