import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ADMIN, sessionCookie } from '../../harness/api-client.ts';
import { rawExchange, rawRequest } from '../../harness/raw-request.ts';
import { secretsPath } from '../../harness/secret-paths.ts';
import { openErrorsFixture } from './errors-fixture.ts';

const { here } = openErrorsFixture();

async function exchanged(bytes: string, url = here.stack.service.url) {
  const [head = '', body = ''] = (await rawExchange(url, bytes)).split('\r\n\r\n');
  const [status = '', ...headers] = head.toLowerCase().split('\r\n');
  return { status: Number(status.split(' ')[1]), headers, body };
}

describe('a client that is still sending when it is answered, on a connection that then closes', () => {
  it.each([
    ['what is hardly HTTP', 'PUT /a b HTTP/1.1', 400],
    ['a method that the route does not have', 'PUT /api/namespaces HTTP/1.1', 405],
    ['a route that is none', 'PUT /no/such/route HTTP/1.1', 404],
  ])('gets the answer to %s', async (_what, requestLine, status) => {
    const body = 'x'.repeat(4 * 1024 * 1024);
    const head = [requestLine, 'Host: a', 'Connection: close', `Content-Length: ${body.length}`, '', ''];
    for (let round = 0; round < 20; round++) {
      expect((await exchanged(head.join('\r\n') + body)).status).toBe(status);
    }
  });

  it('gets the answer to a stream over the limit, although it looks for it only at the end', async () => {
    const head = [
      `POST ${secretsPath(here.namespace)} HTTP/1.1`,
      'Host: a',
      `Cookie: ${await sessionCookie(ADMIN)}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
      '\r\n',
    ];
    const { hostname, port } = new URL(here.stack.service.url);
    const socket = connect(Number(port), hostname);
    const chunk = `100000\r\n${' '.repeat(0x100000)}\r\n`;
    socket.pause();
    socket.write(head.join('\r\n'));
    for (let mebibyte = 1; mebibyte <= 40; mebibyte++) {
      await new Promise((resolve) => socket.write(chunk, resolve));
    }
    socket.end('0\r\n\r\n');
    expect(Buffer.concat((await socket.toArray()) as Buffer[]).toString()).toMatch(/^HTTP\/1.1 413 /);
  });
});

describe('a request target that is no address', () => {
  it.each([
    ...['//', '//[::bad/', '/#', '/api/config#x', '*'],
    ...['http://', 'http://[::bad/', 'http://a%@b/', 'http://a@b/api/config', 'http://a:99999/livez'],
  ])('%j is answered 400 in the same form on both ports', async (target) => {
    const { url, opsUrl } = here.stack.service;
    for (const port of [url, opsUrl]) {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const answer = await exchanged(`${method} ${target} HTTP/1.1\r\nHost: a\r\n\r\n`, port);
        expect([answer.status, JSON.parse(answer.body)]).toEqual([
          400,
          { error: 'The request target is not an address' },
        ]);
        expect(answer.headers).toContain('cache-control: no-store');
        const id = answer.headers.find((line) => line.startsWith('x-request-id: '))?.slice(14);
        const lineOf = () => here.stack.service.logLines().find(({ requestId }) => requestId === id);
        await expect.poll(lineOf).toMatchObject({ event: 'request', status: 400, reason: 'protocolError' });
      }
    }
  });

  it.each(['http://a/api/config', 'HTTPS://[::1]:443/api/config?x', '/api/config?a=//[::bad/'])(
    '%j is an address',
    async (target) => {
      expect((await exchanged(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`)).status).toBe(200);
    },
  );
});

describe('requests that are hardly HTTP', () => {
  it.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n', 400],
    ['no Host', 'GET /api/config HTTP/1.1\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
    ['headers beyond 16 KiB', `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ])('%s is answered in the same form', async (_what, bytes, status) => {
    const answer = await exchanged(bytes);
    expect(answer.status).toBe(status);
    expect(answer.headers).toContain('cache-control: no-store');
    expect(JSON.parse(answer.body)).toEqual({ error: expect.any(String) as string });
  });

  it.each([
    ['Host', 'a'],
    ['Content-Type', 'application/json'],
    ['Content-Encoding', 'identity'],
    ['Authorization', 'Bearer x'],
    ['Origin', 'http://localhost'],
    ['Sec-Fetch-Site', 'none'],
  ])('two %s fields answer 400, also when they agree', async (field, value) => {
    const others = field === 'Host' ? [] : ['Host: a'];
    for (const twice of [
      [`${field}: ${value}`, `${field}: other`],
      [`${field}: ${value}`, `${field.toLowerCase()}: ${value}`],
    ]) {
      const lines = ['GET /api/config HTTP/1.1', ...others, ...twice, '', ''];
      const answer = await exchanged(lines.join('\r\n'));
      expect([answer.status, JSON.parse(answer.body)]).toEqual([
        400,
        { error: `The request must have at most one ${field} header` },
      ]);
    }
  });

  it.each(['a, b', 'a b', 'user@a', 'a/b', 'a?b', 'a#b', 'a\\b'])(
    'a Host of %j answers 400',
    async (host) => {
      const answer = await exchanged(`GET /api/config HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      expect([answer.status, JSON.parse(answer.body)]).toEqual([
        400,
        { error: 'The Host header is malformed' },
      ]);
    },
  );

  it.each(['a', 'a.example:8080', '127.0.0.1', '[::1]:3000', ''])('a Host of %j is taken', async (host) => {
    expect((await exchanged(`GET /api/config HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).status).toBe(200);
  });

  it.each([
    ['two equal lengths', ['Content-Length: 2', 'Content-Length: 2'], '{}'],
    ['a list of lengths', ['Content-Length: 2, 2'], '{}'],
    ['a length beside chunks', ['Content-Length: 2', 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
    ['two transfer encodings', ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], '0\r\n\r\n'],
  ])('%s answer 400: where the body ends must be certain', async (_what, fields, body) => {
    const lines = [`POST ${secretsPath(here.namespace)} HTTP/1.1`, 'Host: a', ...fields, '', body];
    expect((await exchanged(lines.join('\r\n'))).status).toBe(400);
  });

  it('several Cookie fields are one, as HTTP/2 has them', async () => {
    const fields = [`Cookie: other=1`, `Cookie: ${await sessionCookie(ADMIN)}`];
    const lines = [`GET ${secretsPath(here.namespace, 'live')} HTTP/1.1`, 'Host: a', ...fields, '', ''];
    expect((await exchanged(lines.join('\r\n'))).status).toBe(200);
  });

  it('a chunk that is none, in a body that is being read, is answered once', async () => {
    const head = `POST ${secretsPath(here.namespace)} HTTP/1.1\r\nHost: a\r\nCookie: ${await sessionCookie(ADMIN)}\r\n`;
    const answer = await exchanged(
      `${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    );
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toEqual({ error: expect.any(String) as string });
  });

  it('an expectation that is unknown does not keep the request from being answered', async () => {
    const answer = await exchanged(
      'GET /api/config HTTP/1.1\r\nHost: a\r\nExpect: the-unexpected\r\nConnection: close\r\n\r\n',
    );
    expect(answer.status).toBe(200);
    expect(answer.headers).toContain('cache-control: no-store');
  });

  it('a path whose percent-encoding does not decode answers 400', async () => {
    const cookie = await sessionCookie(ADMIN);
    const answer = await rawRequest(here.stack.service.url, {
      path: secretsPath(here.namespace, '%zz'),
      headers: { cookie },
    });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      400,
      { error: 'The path is not valid percent-encoding' },
    ]);
    expect(answer.headers['cache-control']).toBe('no-store');
  });
});
