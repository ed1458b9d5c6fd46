import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ADMIN, clientFor, DEVELOPER_A, type ApiClient } from '../../harness/api-client.ts';
import type { ClusterObject } from '../../harness/kube-client.ts';
import { secretsOf } from '../../harness/secrets-client.ts';
import { startStack, type Stack } from '../../harness/stack.ts';
import { addKey } from './writer.ts';

const WRITERS = 50;
const ENV = { SERVICE_HISTORY_LIMIT: '100', LOG_LEVEL: 'warn' };

let stack: Stack;
let namespace: string;
/** Clients of two service processes. */
let clients: readonly ApiClient[];

beforeAll(async () => {
  stack = await startStack({ env: ENV });
  const other = await stack.anotherService({ env: ENV });
  clients = [await stack.client(DEVELOPER_A), await clientFor(other.url, DEVELOPER_A)];
});
afterAll(() => stack.close());
beforeEach(async () => {
  namespace = await stack.namespace();
});

const keyOf = (writer: number): string => `writer-${writer}`;
const numbers = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** The snapshots of a namespace, oldest version first. */
async function history(): Promise<readonly ClusterObject[]> {
  const version = ({ metadata }: ClusterObject) =>
    Number(metadata.annotations?.['service.io/history-version']);
  const snapshots = await stack.kube.listSecrets(namespace, 'service.io/kind=history');
  return snapshots.toSorted((one, other) => version(one) - version(other));
}

describe.each([
  ['one service process', 1],
  ['two service processes at once', 2],
])('50 writers on one Secret through %s', (_what, processes) => {
  it('lose no update, and each acknowledged update is exactly one counter step and one snapshot', async () => {
    const [first] = clients as [ApiClient];
    await secretsOf(first, namespace).create('a', { data: {} });

    const acknowledged = await Promise.all(
      numbers(1, WRITERS).map((writer) =>
        addKey(clients[writer % processes] ?? first, namespace, 'a', keyOf(writer)),
      ),
    );

    const live = await secretsOf(first, namespace).read('a');
    expect([...live.keys].sort()).toEqual(numbers(1, WRITERS).map(keyOf).sort());
    expect(live.version).toBe(WRITERS + 1);
    expect(acknowledged.map(({ version }) => version).sort((a, b) => a - b)).toEqual(numbers(2, WRITERS + 1));

    const snapshots = await history();
    expect(snapshots.map(({ metadata }) => metadata.annotations?.['service.io/history-version'])).toEqual(
      numbers(1, WRITERS).map(String),
    );
    // Version n is what the writer that was acknowledged with it had written: one key more than the version before.
    const keysByVersion = new Map(acknowledged.map(({ version, keys }) => [version, [...keys].sort()]));
    for (const [index, snapshot] of snapshots.entries()) {
      expect(Object.keys(snapshot.data ?? {}).sort()).toEqual(keysByVersion.get(index + 1) ?? []);
      expect(snapshot.immutable).toBe(true);
    }
  });
});

describe('kubectl edits in between', () => {
  it('are not lost, nor are the updates, when an admin reviews the collisions that they cause', async () => {
    const EDITS = 15;
    const writers = await Promise.all(
      [stack.service.url, stack.service.url].map((url) => clientFor(url, ADMIN)),
    );
    const [admin] = writers as [ApiClient];
    await secretsOf(admin, namespace).create('a', { data: {} });
    const edit = async (): Promise<void> => {
      for (const number of numbers(1, EDITS)) {
        const value = Buffer.from('by kubectl').toString('base64');
        await stack.kube.patchSecret(namespace, 'a', { data: { [`kubectl-${number}`]: value } });
      }
    };

    const [acknowledged] = await Promise.all([
      Promise.all(
        numbers(1, EDITS).map((writer) =>
          addKey(writers[writer % 2] ?? admin, namespace, 'a', keyOf(writer), true),
        ),
      ),
      edit(),
    ]);

    const live = await secretsOf(admin, namespace).read('a');
    const edits = numbers(1, EDITS).map((number) => `kubectl-${number}`);
    expect([...live.keys].sort()).toEqual([...numbers(1, EDITS).map(keyOf), ...edits].sort());
    const versions = acknowledged.map(({ version }) => version);
    expect(new Set(versions).size).toBe(EDITS);
    expect(live.version).toBe(Math.max(...versions));
    // Each acknowledged write archived the state before it, under the version before its own.
    const archived = (await history()).map(({ metadata }) =>
      Number(metadata.annotations?.['service.io/history-version']),
    );
    expect(archived).toEqual(expect.arrayContaining(versions.map((version) => version - 1)));
  });
});
