import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { LoginFailure } from '../../../../src/auth/login/login-failure.ts';
import { createProviderFetch, type Fetch } from '../../../../src/auth/login/provider-requests.ts';

const allowHttp = false;

function requestWith(fetch: Fetch, limits: { timeoutMs?: number; maxBytes?: number } = {}) {
  return createProviderFetch(fetch, allowHttp, { timeoutMs: 10_000, maxBytes: 1_000, ...limits });
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof LoginFailure ? error.code : `unexpected ${String(error)}`;
}

describe('a request to the provider', () => {
  test('goes to no insecure address', async () => {
    const requested: unknown[] = [];
    const request = requestWith((url) => {
      requested.push(url);
      return Promise.resolve(new Response());
    });
    expect(await codeOf(request('http://provider.example/token', {}))).toBe('insecure_endpoint');
    expect(requested).toEqual([]);
  });

  test('follows no redirect', async () => {
    const modes: unknown[] = [];
    const request = requestWith((_url, init) => {
      modes.push(init?.redirect);
      return Promise.resolve(
        new Response(null, { status: 307, headers: { location: 'https://elsewhere.example' } }),
      );
    });
    expect((await request('https://provider.example/', { redirect: 'follow' })).status).toBe(307);
    expect(modes).toEqual(['manual']);
  });

  test('reads up to the limit, and not a byte more', async () => {
    const request = requestWith(() => Promise.resolve(new Response('x'.repeat(1_000))));
    expect(await (await request('https://provider.example/', {})).text()).toHaveLength(1_000);
    const tooLong = requestWith(() => Promise.resolve(new Response('x'.repeat(1_001))));
    expect(await codeOf(tooLong('https://provider.example/', {}))).toBe('response_too_large');
  });

  test('stops reading a body that never ends', async () => {
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(new Uint8Array(100));
      },
      cancel: () => {
        cancelled = true;
      },
    });
    const request = requestWith(() => Promise.resolve(new Response(endless)));
    expect(await codeOf(request('https://provider.example/', {}))).toBe('response_too_large');
    expect(cancelled).toBe(true);
  });

  test('gives up on an answer that never comes', async () => {
    const never: Fetch = (_url, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => {
          reject(new Error('aborted'));
        });
      });
    expect(await codeOf(requestWith(never, { timeoutMs: 20 })('https://provider.example/', {}))).toBe(
      'timeout',
    );
  });

  test.each([204, 304])('hands on an answer of status %d, which has no body', async (status) => {
    const request = requestWith(() => Promise.resolve(new Response(null, { status })));
    expect((await request('https://provider.example/', {})).status).toBe(status);
  });

  test('names a status that HTTP does not have', async () => {
    const server = createServer((_request, response) => response.writeHead(999).end('denied'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const request = createProviderFetch(fetch, true, { timeoutMs: 10_000, maxBytes: 1_000 });
    const failure = await request(`http://127.0.0.1:${port}/`, {}).catch((error: unknown) => error);
    server.close();
    expect(failure).toMatchObject({ code: 'unexpected_status', details: { status: 999 } });
  });

  test('hides the challenge, so that the error in the body is the one that counts', async () => {
    const headers = { 'www-authenticate': 'Basic realm="x"', 'content-type': 'application/json' };
    const request = requestWith(() => Promise.resolve(new Response('{}', { status: 401, headers })));
    const response = await request('https://provider.example/', {});
    expect([...response.headers.keys()]).toEqual(['content-type']);
  });
});
