import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clientFor, person, type ApiClient } from '../harness/api-client.ts';
import { jsonOf, secretOf } from '../harness/answers.ts';
import { secretsPath } from '../harness/secret-paths.ts';
import { startStack, type Stack } from '../harness/stack.ts';

const WRITES = Number(process.env['SOAK_WRITES'] ?? '20000');
/**
 * After these, code is compiled, and all that is bounded is full: 256 views for those who read on in pages, which a quarter of
 * the Secrets begin.
 */
const WARM_WRITES = Math.max(4_400, WRITES / 4);
const AT_ONCE = 4;
/**
 * The deadline of a request keeps its timer until it would have passed, at most 55 seconds. Without a rest, a reading says how many
 * requests a machine handles in that time.
 */
const REST_MS = 60_000;
const WRITES_OF_A_SECRET = 4;
/** Of a heap to which a leak has added before the first reading, too. */
const MAX_GROWTH = 0.06;
const MIB = 1024 ** 2;

let stack: Stack;
let namespace: string;

beforeAll(async () => {
  // The manifest's own heap; a rate limit that counts, and refuses no one.
  const NODE_OPTIONS = '--max-semi-space-size=8 --max-old-space-size=768';
  const env = { NODE_OPTIONS, SERVICE_RATE_LIMIT: '1000000/1s', LOG_LEVEL: 'info' };
  stack = await startStack({ metered: true, env });
  namespace = await stack.namespace();
});
afterAll(() => stack.close());

let made = 0;

it(
  `${WRITES} writes with ever new names, keys, rules and people end with the heap of their beginning`,
  { timeout: 60_000 + 2 * REST_MS + (WARM_WRITES + WRITES) * 60 },
  async () => {
    await write(WARM_WRITES);
    const before = await heapAtRest();
    await write(WRITES);
    const after = await heapAtRest();
    console.info(
      `soak: heap ${mebibytes(before)} MiB before ${WRITES} writes, ${mebibytes(after)} MiB after`,
    );
    expect(after).toBeLessThanOrEqual(before * (1 + MAX_GROWTH));
  },
);

/** Creates, changes, reads, searches and deletes, each Secret as someone who was never there before. */
async function write(writes: number): Promise<void> {
  const end = made + Math.ceil(writes / WRITES_OF_A_SECRET);
  const work = async (): Promise<void> => {
    while (made < end) await live(made++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function live(index: number): Promise<void> {
  const someone = await clientFor(
    stack.service.url,
    person(`person-${index}@example.com`, ['platform-admins']),
  );
  const name = `secret-${index}`;
  const path = secretsPath(namespace, name);
  const body = { name, description: `words-${index} of it`, ...content(index, 0) };
  let { resourceVersion } = secretOf(await someone.post(secretsPath(namespace), body), 201);
  for (let write = 1; write < WRITES_OF_A_SECRET - 1; write++) {
    const answer = await someone.put(path, { resourceVersion, ...content(index, write) });
    ({ resourceVersion } = secretOf(answer));
  }
  await look(someone, index);
  jsonOf(await someone.delete(`${path}?resourceVersion=${resourceVersion}`), 200);
}

async function look(someone: ApiClient, index: number): Promise<void> {
  const [list, name] = [secretsPath(namespace), `secret-${index}`];
  const paths = [
    list,
    `${list}?limit=1`,
    `${list}?limit=10&q=words-${index}`,
    `/api/search?q=words-${index}`,
  ];
  // One of them, or it is the looking that takes the time.
  const path = paths[index % paths.length] ?? list;
  expect(jsonOf(await someone.get(path), 200)).toBeDefined();
  expect(secretOf(await someone.get(secretsPath(namespace, name))).name).toBe(name);
}

/** Keys and rules that no write had before; the rules of one in five as long as they may be. */
function content(index: number, write: number): object {
  const count = write === 1 && index % 5 === 0 ? 256 : 3;
  const entries = (kind: string): string[] =>
    Array.from({ length: count }, (_, at) => `${kind}-${index}-${write}-${at}-${'x'.repeat(200)}`);
  return {
    data: { [`key-${index}-${write}`]: 'value', same: 'value' },
    allowedGroups: entries('group'),
    allowedUsers: entries('user'),
  };
}

/** Bytes that are held when everything is deleted, the cache has followed, and garbage is collected. */
async function heapAtRest(): Promise<number> {
  await expect.poll(cachedObjects).toBe(0);
  await sleep(REST_MS);
  return (await stack.service.meter.readSettled()).heldBytes;
}

async function cachedObjects(): Promise<number> {
  const text = await (await fetch(`${stack.service.opsUrl}/metrics`)).text();
  return [...text.matchAll(/^service_cache_objects\{[^}]*\} (\d+)$/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
}

const mebibytes = (bytes: number): string => (bytes / MIB).toFixed(1);
