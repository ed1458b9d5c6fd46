import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { clientFor, DEVELOPER_A, type ApiClient } from '../../harness/api-client.ts';
import { jsonOf, listOf } from '../../harness/answers.ts';
import { nativeSecret, secretsPath } from '../../harness/secret-paths.ts';
import { startStack, type Stack } from '../../harness/stack.ts';
import { becomes } from '../replicas.ts';

const KNOWN_NAME = 'listed-name-that-is-kept';
const PLANTED = 'planted-value-';

let folder = '';
let env: Readonly<Record<string, string>> = {};
let stack: Stack;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'service-heap-'));
  const NODE_OPTIONS = `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${folder}`;
  env = { NODE_OPTIONS, LOG_LEVEL: 'info' };
  stack = await startStack({ env });
});

afterEach(async () => {
  await stack.close();
  rmSync(folder, { recursive: true });
});

/** Values in all forms that a Secret can have: text that V8 holds in one byte a character and in two, and binary. */
async function plant(namespace: string, index: number): Promise<void> {
  const value = `${PLANTED}${index}-${'x'.repeat(40)}`;
  const data = { key: value, wide: `${value} \u03c9`, binary: Buffer.from(`\0${value}`) };
  await stack.kube.createSecret(namespace, nativeSecret(`${KNOWN_NAME}-${index}`, data));
}

async function listedFromCache(
  namespace: string,
  count: number,
  client: ApiClient = stack.developerA,
): Promise<void> {
  const isListed = async (): Promise<boolean> => {
    const answer = await client.get(secretsPath(namespace));
    return answer.headers.get('x-list-source') === 'cache' && listOf(answer).secrets.length === count;
  };
  await becomes(isListed, true, 20_000, `${count} are listed from the cache`);
}

/** Every string on the heap, after a collection; V8 writes the first 1,024 characters of each. */
async function heapOf(service: Stack['service']): Promise<string> {
  service.signal('SIGUSR2');
  const files = () => readdirSync(folder).filter((name) => name.endsWith('.heapsnapshot'));
  const read = () => files().map((name) => readFileSync(join(folder, name), 'utf8'))[0] ?? '';
  let length = 0;
  const isWritten = () => {
    const text = read();
    const stands = text.length === length;
    length = text.length;
    return stands && text.trimEnd().endsWith('"]}');
  };
  await becomes(isWritten, true, 30_000, 'the snapshot is written');
  return read();
}

function expectNoValue(heap: string): void {
  // The snapshot does hold what lists show, so the search would find a value.
  expect(heap).toContain(`${KNOWN_NAME}-0`);
  const encoded = Buffer.from(PLANTED).toString('base64').slice(0, 16);
  const encodedAfterNul = Buffer.from(`\0${PLANTED}`).toString('base64').slice(4, 18);
  // A whole frame or page begins like this; a value further within would be cut off.
  const frames = ['{\\"type\\":\\"ADDED\\"', '{\\"kind\\":\\"SecretList\\"'];
  expect([PLANTED, encoded, encodedAfterNul, ...frames].filter((text) => heap.includes(text))).toEqual([]);
}

it('a heap snapshot of a service that has served lists and a search holds none of the values, plain or in base64', async () => {
  const namespace = await stack.namespace();
  for (let index = 0; index < 100; index++) await plant(namespace, index);
  await listedFromCache(namespace, 100);
  const found = await stack.developerA.get(`/api/search?q=${KNOWN_NAME}-99`);
  expect(jsonOf(found, 200)).toMatchObject({ results: [{ name: `${KNOWN_NAME}-99` }] });
  expectNoValue(await heapOf(stack.service));
}, 120_000);

it('nor does one of a service that has just listed everything', async () => {
  const namespace = await stack.namespace();
  for (let index = 0; index < 100; index++) await plant(namespace, index);
  const service = await stack.anotherService({ env });
  await listedFromCache(namespace, 100, await clientFor(service.url, DEVELOPER_A));
  expectNoValue(await heapOf(service));
}, 120_000);

it('nor does one that is taken after a single event, while the watch waits for the next', async () => {
  const namespace = await stack.namespace();
  await plant(namespace, 0);
  await listedFromCache(namespace, 1);
  expectNoValue(await heapOf(stack.service));
}, 120_000);
