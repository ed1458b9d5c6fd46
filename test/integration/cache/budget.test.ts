import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientFor, DEVELOPER_A, type ApiClient } from '../../harness/api-client.ts';
import { errorOf, jsonOf, listOf } from '../../harness/answers.ts';
import { nativeSecret, secretsPath } from '../../harness/secret-paths.ts';
import { startStack, type Stack } from '../../harness/stack.ts';
import { becomes } from '../replicas.ts';

/** Each takes nearly a megabyte of heap; together they are more than this service has. */
const COUNT = 130;
const HEAP = '--max-old-space-size=128';
const KEYS = Array.from({ length: 1_900 }, (_, index) => `${index}-`.padEnd(246, 'k'));

let stack: Stack;
let client: ApiClient;
let service: Awaited<ReturnType<Stack['anotherService']>>;
let [large, small] = ['', ''];

beforeAll(async () => {
  // No test calls this service: its lists would take as much memory again.
  stack = await startStack({ env: { SERVICE_LIST_CACHE: 'false' } });
  [large, small] = [await stack.namespace(), await stack.namespace()];
  const annotations = { 'service.io/description': 'x'.repeat(250_000) };
  const data = Object.fromEntries(KEYS.map((key) => [key, '']));
  for (let index = 0; index < COUNT; index++)
    await stack.kube.createSecret(large, nativeSecret(`s${index}`, data, { metadata: { annotations } }));
  await stack.kube.createSecret(small, nativeSecret('a'));
  service = await stack.anotherService({ env: { NODE_OPTIONS: HEAP, LOG_LEVEL: 'info' }, waitFor: 'live' });
  client = await clientFor(service.url, DEVELOPER_A);
}, 300_000);
afterAll(() => stack.close());

describe('a namespace whose Secrets take more memory than there is', () => {
  it('does not end the service at its start, nor the lists of others', async () => {
    const list = () => client.get(secretsPath(small));
    await becomes(async () => (await list()).headers.get('x-list-source'), 'cache', 80_000);
    expect(listOf(await list()).secrets).toHaveLength(1);
  }, 120_000);

  it('has neither lists nor pages, not even live, and is named in searches', async () => {
    const noCache = { headers: { 'cache-control': 'no-cache' } };
    for (const answer of [
      await client.get(secretsPath(large)),
      await client.get(secretsPath(large), noCache),
      await client.get(`${secretsPath(large)}?limit=10`),
    ])
      expect(errorOf(answer, 503)).toMatch(/more memory than the service may use/);
    expect(jsonOf(await client.get('/api/search?q=a'), 200)).toMatchObject({ skipped: [large] });
  });

  it('is counted, and logged once by its name', async () => {
    const metrics = await (await fetch(`${service.opsUrl}/metrics`)).text();
    expect(metrics).toMatch(/^service_cache_namespaces_over_budget 1$/m);
    expect(metrics).toMatch(/^service_list_answers_total\{source="refused",reason="memory"\} [1-9]/m);
    const lines = service.logLines().filter(({ event }) => event === 'namespace over the cache budget');
    expect(lines).toMatchObject([{ namespace: large }]);
  });

  it('has each of its Secrets, with the whole description', async () => {
    const { secret } = jsonOf(await client.get(secretsPath(large, 's7')), 200) as {
      secret: { description: string; keyCount: number };
    };
    expect([secret.description.length, secret.keyCount]).toEqual([250_000, KEYS.length]);
  });
});

it('a long description from elsewhere is cut in lists, pages and searches', async () => {
  const annotations = { 'service.io/description': `longtext ${'€'.repeat(3_000)}` };
  await stack.kube.createSecret(small, nativeSecret('long', { key: '' }, { metadata: { annotations } }));
  const found = async (path: string): Promise<readonly { description: string }[]> => {
    const { secrets, results } = jsonOf(await client.get(path), 200) as Record<string, never[]>;
    return secrets ?? results ?? [];
  };
  const paths = [secretsPath(small), `${secretsPath(small)}?limit=9&q=long`, '/api/search?q=longtext'];
  for (const path of paths) {
    await becomes(async () => (await found(path)).length > 0, true);
    const { description = '' } = (await found(path)).at(-1) ?? {};
    expect([Buffer.byteLength(description) <= 4_096, description.endsWith('€…')]).toEqual([true, true]);
  }
});
