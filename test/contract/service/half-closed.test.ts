import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, sessionCookie } from '../../harness/api-client.ts';
import { secretOf } from '../../harness/answers.ts';
import { rawExchange } from '../../harness/raw-request.ts';
import { secretsPath, stateOf } from '../../harness/secret-paths.ts';
import { openStack, type Stack } from '../../harness/stack.ts';

/** TCP lets a client end its sending side and still read (RFC 9293, section 3.6); `nc` and some proxies do. */

let stack: Stack;
let namespace: string;
let cookie: string;

beforeAll(async () => {
  stack = await openStack();
  namespace = await stack.namespace();
  cookie = await sessionCookie(ADMIN);
  secretOf(await stack.admin.post(secretsPath(namespace), { name: 'live', data: { a: '1' } }), 201);
});
afterAll(() => stack.close());

function requestText(method: string, path: string, body?: string): string {
  const content =
    body === undefined
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`];
  return [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    `Cookie: ${cookie}`,
    'Cache-Control: no-cache',
    ...content,
    '',
    body ?? '',
  ].join('\r\n');
}

const statusesOf = (answer: string) =>
  [...answer.matchAll(/HTTP\/1\.1 ([0-9]{3}) /g)].map(([, status]) => Number(status));

describe('a client that ends its sending side right after the request', () => {
  it.each([
    ['a live list', 'GET', '', undefined, 200],
    ['a read', 'GET', '/live', undefined, 200],
    ['a read of what does not exist', 'GET', '/absent', undefined, 404],
    ['a creation', 'POST', '', '{"name":"created"}', 201],
  ] as const)(
    'gets its answer, and the connection is closed: %s',
    async (_what, method, below, body, status) => {
      const path = `${secretsPath(namespace)}${below}`;
      expect(statusesOf(await rawExchange(stack.service.url, requestText(method, path, body)))).toEqual([
        status,
      ]);
    },
  );

  it('gets the answers to all of its requests', async () => {
    const path = secretsPath(namespace, 'live');
    const requests = requestText('GET', path).repeat(3);
    expect(statusesOf(await rawExchange(stack.service.url, requests))).toEqual([200, 200, 200]);
  });

  it('in the middle of a body gets 400 and the connection is closed; nothing is written', async () => {
    const before = await stateOf(stack.kube, namespace);
    const whole = requestText('POST', secretsPath(namespace), '{"name":"cut"}');
    expect(statusesOf(await rawExchange(stack.service.url, whole.slice(0, -3)))).toEqual([400]);
    expect(await stateOf(stack.kube, namespace)).toEqual(before);
  });

  it('without a request, or after its answer, is closed', async () => {
    expect(await rawExchange(stack.service.url, '')).toBe('');
    const { hostname, port } = new URL(stack.service.url);
    const socket = connect(Number(port), hostname);
    socket.write(requestText('GET', secretsPath(namespace, 'live')));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(statusesOf(answer.toString('latin1'))).toEqual([200]);
    socket.end();
    await once(socket, 'close');
  });
});
