import { gunzipSync } from 'node:zlib';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, sessionCookie } from '../../harness/api-client.ts';
import { nativeSecret, secretsPath } from '../../harness/secret-paths.ts';
import { secretsOf } from '../../harness/secrets-client.ts';
import { openStack, type Stack } from '../../harness/stack.ts';

interface ListResponse {
  readonly status: number | undefined;
  readonly encoding: string | undefined;
  readonly vary: string;
  readonly length: string | undefined;
  readonly bytes: Buffer;
}

let stack: Stack;
let namespace: string;
let cookie: string;

beforeAll(async () => {
  stack = await openStack();
  namespace = await stack.namespace();
  cookie = await sessionCookie(ADMIN);
  for (const name of ['a', 'b', 'c', 'd'])
    await stack.kube.createSecret(namespace, nativeSecret(name, { key: name }));
  await secretsOf(stack.admin, namespace).createWithHistory('versioned', 1);
});
afterAll(() => stack.close());

/** The bytes as they are on the wire, which fetch would decompress. */
function get(path: string, headers: Readonly<Record<string, string>>, method = 'GET'): Promise<ListResponse> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${stack.service.url}${path}`,
      { method, headers: { cookie, ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          resolve({
            status: response.statusCode,
            encoding: response.headers['content-encoding'],
            vary: response.headers.vary ?? '',
            length: response.headers['content-length'],
            bytes: Buffer.concat(chunks),
          });
        });
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}

const WAYS = [
  ['from the cache', {}],
  ['live', { 'cache-control': 'no-cache' }],
] as const;

describe.each(WAYS)('a list %s', (_way, how) => {
  const list = (acceptEncoding: string, method?: string) =>
    get(secretsPath(namespace), { ...how, 'accept-encoding': acceptEncoding }, method);

  it('is compressed for a client that accepts gzip, and is the same list', async () => {
    const [plain, compressed] = [await list('identity'), await list('gzip')];
    expect(compressed).toMatchObject({ status: 200, encoding: 'gzip', vary: 'Accept-Encoding' });
    expect(gunzipSync(compressed.bytes)).toEqual(plain.bytes);
    expect(compressed.length).toBe(String(compressed.bytes.byteLength));
    expect(compressed.bytes.byteLength).toBeLessThan(plain.bytes.byteLength / 2);
  });

  it('is plain for a client that does not, and says that this depends on Accept-Encoding', async () => {
    for (const acceptEncoding of ['identity', 'gzip;q=0', 'br', 'gzip;q=0.1, identity']) {
      const answer = await list(acceptEncoding);
      expect(answer).toMatchObject({ status: 200, encoding: undefined, vary: 'Accept-Encoding' });
      expect(JSON.parse(answer.bytes.toString())).toMatchObject({ namespace });
    }
  });

  it('has the same headers on HEAD, and no body', async () => {
    const { length } = await list('gzip');
    const head = await list('gzip', 'HEAD');
    expect(head).toMatchObject({ status: 200, encoding: 'gzip', vary: 'Accept-Encoding', length });
    expect(head.bytes.byteLength).toBe(0);
  });
});

describe('what is never compressed', () => {
  /** A value and something that an attacker chooses in one compressed response give the value away (BREACH). */
  it('a response with values', async () => {
    const secret = `${secretsPath(namespace)}/versioned`;
    for (const path of [secret, `${secret}/versions/1`, `${secret}/versions`]) {
      const answer = await get(path, { 'accept-encoding': 'gzip, *;q=0.5, identity;q=0' });
      expect(answer).toMatchObject({ status: 200, encoding: undefined });
      expect(JSON.parse(answer.bytes.toString())).toBeTypeOf('object');
    }
  });

  it('an error', async () => {
    const answer = await get(secretsPath('Not-A-Namespace'), { 'accept-encoding': 'gzip, identity;q=0' });
    expect(answer).toMatchObject({ status: 400, encoding: undefined });
  });
});
