import { expect, test } from 'vitest';
import { createApiClient } from '../src/api/http-client.ts';
import { createSecretsApi } from '../src/api/secrets-api.ts';

const { signal } = new AbortController();
const PAGE = '?limit=500';

/** A namespace of so many Secrets, and the requests for it. */
function serviceWith(count: number, statuses: { readonly page?: number; readonly list?: number } = {}) {
  const requests: string[] = [];
  let now = 1_700_000_000_000;
  const fetch: typeof globalThis.fetch = (input, init) => {
    const { search } = new URL(input as string, 'http://localhost');
    requests.push(`${search} ${init?.cache ?? ''}`.trim());
    const [status = 200, shown] =
      search === '' ? [statuses.list, count] : [statuses.page, Math.min(count, 500)];
    if (status !== 200) return Promise.resolve(Response.json({ error: 'Not now' }, { status }));
    const secrets = Array.from({ length: shown }, (_, index) => ({ name: `secret-${index}` }));
    const rest = search === '' ? {} : { total: count, ...(shown < count ? { continue: 'next' } : {}) };
    return Promise.resolve(Response.json({ namespace: 'n', canCreate: true, secrets, ...rest }));
  };
  const api = createSecretsApi(
    createApiClient(fetch, () => undefined),
    () => now,
  );
  return { api, requests, pass: (ms: number) => (now += ms) };
}

test.each([
  [0, [PAGE]],
  [500, [PAGE]],
  [501, [PAGE, '']],
  [1_000, [PAGE, '']],
])('a list of %i Secrets is complete', async (count, expected) => {
  const { api, requests } = serviceWith(count);
  const { secrets, continue: next } = await api.listing('n', signal);
  expect([secrets.length, next]).toEqual([count, undefined]);
  expect(requests).toEqual(expected.map((search) => `${search} default`.trim()));
});

test('of a longer list there is the first page, also after a write', async () => {
  const { api, requests } = serviceWith(1_001);
  await api.listing('n', signal);
  api.readNextListLive('n');
  const { secrets, total, continue: next } = await api.listing('n', signal);
  expect([secrets.length, total, next]).toEqual([500, 1_001, 'next']);
  expect(requests).toEqual([`${PAGE} default`, `${PAGE} default`]);
});

test('after a write the list is read live, and in pages where it is too long for that', async () => {
  const { api, requests } = serviceWith(50_000, { list: 503 });
  api.readNextListLive('n');
  expect((await api.listing('n', signal)).total).toBe(50_000);
  expect(requests).toEqual(['no-store', `${PAGE} default`]);
});

test('a service without pages gives the whole list, and none of it is requested again for a while', async () => {
  const { api, requests, pass } = serviceWith(2_000, { page: 503 });
  expect((await api.listing('n', signal)).secrets.length).toBe(2_000);
  await api.listing('n', signal);
  pass(60_000);
  await api.listing('n', signal);
  expect(requests).toEqual([PAGE, '', '', PAGE, ''].map((search) => `${search} default`.trim()));
});

test.each([400, 401, 403, 429])('%i for a page is what became of the list', async (status) => {
  const { api, requests } = serviceWith(10, { page: status });
  await expect(api.listing('n', signal)).rejects.toThrow('Not now');
  expect(requests.length).toBe(1);
});

test('a further page is requested with its token, what it is filtered by, and its order', async () => {
  const { api, requests } = serviceWith(10);
  await api.page('n', { q: 'a b', sort: 'changed', token: 'next' }, signal);
  expect(requests).toEqual(['?limit=500&q=a+b&sort=changed&continue=next default']);
});

test.each([429, 503])('last changes that cannot be read (%i) are an error, not none', async (status) => {
  const { api } = serviceWith(10, { page: status });
  await expect(api.lately(['n', 'm'], signal)).rejects.toThrow('Not now');
});

test.each([
  ['namespaces without Secrets', serviceWith(0)],
  ['namespaces whose rules exclude one', serviceWith(10, { page: 403 })],
])('of %s there are no last changes', async (_what, { api }) => {
  expect(await api.lately(['n', 'm'], signal)).toEqual([]);
});
