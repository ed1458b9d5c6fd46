import { expect, onTestFinished, test, vi } from 'vitest';
import { createSecretsApi, type SecretsApi } from '../src/api/secrets-api.ts';
import { ApiError, createApiClient, outcomeIsUnknown } from '../src/api/http-client.ts';

const NOW = 1_700_000_000_000;
const { signal } = new AbortController();
const EMPTY_LIST = { namespace: 'n', secrets: [], canCreate: true };

/** The API over answers made up here; `modes` are the fetch modes of the requests so far. */
function apiWith(answer: () => Response | Promise<Response>) {
  const modes: (string | undefined)[] = [];
  let signedOut = 0;
  const fetch: typeof globalThis.fetch = (_input, init) => {
    modes.push(init?.cache);
    return Promise.resolve(answer());
  };
  const call = createApiClient(fetch, () => {
    signedOut += 1;
  });
  return { api: createSecretsApi(call, () => NOW), modes, signedOut: () => signedOut };
}

test.each([
  [{}, NOW],
  [{ 'x-list-source': 'live' }, NOW],
  [{ 'x-list-source': 'cache', age: '12' }, NOW - 12_000],
  [{ 'x-list-source': 'cache', age: '0' }, NOW],
  [{ age: 'soon' }, NOW],
])('a list with the headers %o is as of its age', async (headers, asOf) => {
  const { api } = apiWith(() => Response.json(EMPTY_LIST, { headers }));
  expect((await api.list('n', signal)).asOf).toBe(asOf);
});

test('a list may come from memory, but not the first one after a refresh or a write', async () => {
  let json: object = EMPTY_LIST;
  const { api, modes } = apiWith(() => Response.json(json));
  await api.list('n', signal);
  api.readNextListLive('n');
  await api.list('other', signal);
  await api.list('n', signal);
  await api.list('n', signal);
  json = { status: 'deleted' };
  await api.remove({ namespace: 'n', name: 'a' }, '1', false);
  json = EMPTY_LIST;
  await api.list('n', signal);
  await api.list('n', signal);
  expect(modes).toEqual(['default', 'default', 'no-store', 'default', 'no-store', 'no-store', 'default']);
});

test('a write whose answer is lost counts as one, and a failed list does not use it up', async () => {
  let fails = true;
  const { api, modes } = apiWith(() => (fails ? Promise.reject(new TypeError()) : Response.json(EMPTY_LIST)));
  await expect(api.remove({ namespace: 'n', name: 'a' }, '1', false)).rejects.toThrow(ApiError);
  await expect(api.list('n', signal)).rejects.toThrow(ApiError);
  fails = false;
  await api.list('n', signal);
  expect(modes).toEqual(['no-store', 'no-store', 'no-store']);
});

test.each([
  [{ ok: true }, undefined],
  [{ ok: true, redirectTo: 'https://login.example.com/logout' }, 'https://login.example.com/logout'],
])('after the sign-out %j the provider is left at %s', async (json, atProvider) => {
  const { api } = apiWith(() => Response.json(json));
  expect(await api.signOut()).toBe(atProvider);
});

test('an error is what the service says, with its id', async () => {
  const headers = { 'x-request-id': 'the-id' };
  const { api, signedOut } = apiWith(() => Response.json({ error: 'No' }, { status: 403, headers }));
  await expect(api.namespaces(signal)).rejects.toMatchObject({
    status: 403,
    message: 'No',
    requestId: 'the-id',
  });
  expect(signedOut()).toBe(0);
});

test('an answer that is not from the service is no success, and its text is not repeated', async () => {
  const { api } = apiWith(() => new Response('<h1>proxy page</h1>', { status: 200 }));
  await expect(api.namespaces(signal)).rejects.toThrow("answer that this page doesn't understand");
});

test('an answer that breaks off is a lost connection', async () => {
  const broken = () =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{"namespaces":'));
          controller.error(new TypeError('terminated'));
        },
      }),
    );
  const { api } = apiWith(broken);
  await expect(api.namespaces(signal)).rejects.toMatchObject({ name: 'ApiError', status: 0 });
});

test('a request that the page itself gives up stays given up', async () => {
  const { api } = apiWith(() => Promise.reject(new DOMException('gone', 'AbortError')));
  await expect(api.namespaces(signal)).rejects.toMatchObject({ name: 'AbortError' });
});

test.each([
  ['read', (api: SecretsApi) => api.namespaces(signal), 15_000],
  ['write', (api: SecretsApi) => api.create('n', { name: 'a', data: {} }), 90_000],
])('a %s that is not answered ends, later than the service would end it', async (_what, send, serviceMs) => {
  const late = AbortSignal.abort(new DOMException('late', 'TimeoutError'));
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late);
  onTestFinished(() => {
    timeout.mockRestore();
  });
  const fetch: typeof globalThis.fetch = (_input, init) =>
    init?.signal?.aborted === true
      ? Promise.reject(init.signal.reason as Error)
      : Promise.resolve(Response.json({}));
  const api = createSecretsApi(
    createApiClient(fetch, () => undefined),
    () => NOW,
  );
  await expect(send(api)).rejects.toMatchObject({ status: 0, message: 'The service did not answer in time' });
  expect(timeout.mock.lastCall?.[0]).toBeGreaterThan(serviceMs);
});

test('the end of a session is reported', async () => {
  const { api, signedOut } = apiWith(() => Response.json({ error: 'Sign-in required' }, { status: 401 }));
  await expect(api.namespaces(signal)).rejects.toMatchObject({ status: 401 });
  expect(signedOut()).toBe(1);
});

test('values come and go under every key', async () => {
  const data = JSON.parse('{"__proto__":"p","toString":"t"}') as object;
  const secret = { name: 'a', data, binaryData: {} };
  const { api } = apiWith(() => Response.json({ secret }));
  const { text } = await api.read({ namespace: 'n', name: 'a' });
  expect([...text]).toEqual([
    ['__proto__', 'p'],
    ['toString', 't'],
  ]);
});

test('a read that a write needs first leaves no write open, however it fails', async () => {
  const { api } = apiWith(() => Promise.reject(new TypeError('lost')));
  const read = await api.read({ namespace: 'n', name: 'a' }).catch((error: unknown) => error);
  const write = await api.create('n', { name: 'a', data: {} }).catch((error: unknown) => error);
  expect([outcomeIsUnknown(read), outcomeIsUnknown(write)]).toEqual([false, true]);
});

test.each([
  ['The cluster cannot be reached', 'the-id', false],
  ['The outcome of the change is uncertain: reload before trying again', 'the-id', true],
  ['The service cannot be reached', undefined, true],
])('after "%s" with the id %s, a write that a read does not show may still come: %s', (text, id, isOpen) => {
  expect(outcomeIsUnknown(new ApiError(503, text, id), true)).toBe(isOpen);
});
