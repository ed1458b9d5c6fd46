import { describe, expect, it } from 'vitest';
import { REDUCED_BYTES, type CachedSecret, type WholeSecret } from '../../../src/caches/cached-secret.ts';
import { createSecretTable, type SecretRecord } from '../../../src/caches/secret-table.ts';
import { keyOfHistory } from '../../../src/history/snapshot/indexed-secret.ts';
import type { SecretMetadata } from '../../../src/kube/secret.ts';
import { indexedSecret, snapshotObject, UID } from '../history/reconciler/history-objects.ts';
import { budgetOf, cachedSecret } from './cache-fixture.ts';

const NAMESPACE = 'team-a';
const KEY = keyOfHistory(NAMESPACE, UID);
/** The live Secret that the snapshots name. */
const DB = cachedSecret('db', 1_000, { namespace: NAMESPACE, uid: UID, heapBytes: 5_000 });
const other = (name: string, more: Partial<WholeSecret> = {}) =>
  cachedSecret(name, 1, { namespace: NAMESPACE, ...more });

const newTable = (memory = budgetOf()) => createSecretTable(memory);

function fixture(memory = budgetOf()) {
  const table = newTable(memory);
  const put = (record: SecretRecord) => {
    table.set(record, record);
  };
  const putHistory = (metadata: SecretMetadata) => {
    const indexed = indexedSecret(metadata);
    if (indexed.kind === 'history') put(indexed);
  };
  const drop = (name: string) => {
    table.set({ namespace: NAMESPACE, name }, undefined);
  };
  return { table, put, putHistory, drop };
}

type Table = ReturnType<typeof createSecretTable>;
const versionIn = ({ live }: Table) => live.namespaces.get(NAMESPACE)?.version ?? 0;
const liveIn = ({ live }: Table, namespace: string) => [
  ...(live.namespaces.get(namespace)?.byName.values() ?? []),
];
const reducedIn = ({ live }: Table) =>
  [...live.namespaces].filter(([, { isOver }]) => isOver).map(([name]) => name);

describe('the live Secrets of a table', () => {
  it('are read by namespace, without history objects', () => {
    const { table, put, putHistory } = fixture();
    put(DB);
    put(other('web'));
    put(other('elsewhere', { namespace: 'team-b' }));
    putHistory(snapshotObject(1));
    expect(liveIn(table, NAMESPACE).map(({ name }) => name)).toEqual(['db', 'web']);
    expect([liveIn(table, NAMESPACE).length, liveIn(table, 'nowhere').length, table.live.size]).toEqual([
      2, 0, 3,
    ]);
    expect(table.live.get(NAMESPACE, snapshotObject(1).name)).toBeUndefined();
    expect([...table.values()]).toHaveLength(4);
  });

  it('give their namespace a new version with each change, and none once it is empty', () => {
    const { table, put, drop } = fixture();
    const seen = new Set([versionIn(table)]);
    put(DB);
    seen.add(versionIn(table));
    put({ ...DB, resourceVersion: '1001' });
    seen.add(versionIn(table));
    expect(seen.size).toBe(3);
    drop('db');
    expect(versionIn(table)).toBe(0);
  });

  it('keep the version of their namespace while only history changes', () => {
    const { table, put, putHistory, drop } = fixture();
    put(DB);
    const version = versionIn(table);
    putHistory(snapshotObject(1));
    drop(snapshotObject(1).name);
    expect(versionIn(table)).toBe(version);
  });

  it('never give a namespace the version that it had in an earlier table', () => {
    const versions = [newTable(), newTable()].map((table) => {
      table.set(DB, DB);
      return versionIn(table);
    });
    expect(new Set(versions).size).toBe(2);
  });

  it('are summed, and those that expire kept at hand', () => {
    const { table, put, drop } = fixture();
    put(DB);
    const certificate = other('tls', { expiries: { certificate: 1 }, heapBytes: 3_000 });
    put(certificate);
    expect([table.live.bytes, [...table.live.withExpiry]]).toEqual([8_000, [certificate]]);
    put({ ...certificate, expiries: undefined, heapBytes: 1_000 });
    expect([table.live.bytes, [...table.live.withExpiry]]).toEqual([6_000, []]);
    drop('tls');
    drop('db');
    expect([table.live.bytes, table.live.size]).toEqual([0, 0]);
  });
});

describe('live Secrets over a budget of bytes', () => {
  const namespaceOf = (namespace: string, count: number) =>
    Array.from({ length: count }, (_, index) => other(`s${index}`, { namespace }));
  const isReduced = ({ isReduced: reduced }: CachedSecret) => reduced === true;

  it('are reduced to their metadata in the whole namespace, and no further one is held whole', () => {
    const reduced: string[] = [];
    const { table, put } = fixture(
      budgetOf({ namespaceBytes: 10_000, onReduced: (namespace) => reduced.push(namespace) }),
    );
    for (const one of [...namespaceOf('small', 10), ...namespaceOf('large', 20)]) put(one);
    expect(reduced).toEqual(['large']);
    expect(['large', 'small'].map((name) => table.live.namespaces.get(name)?.isOver)).toEqual([true, false]);
    expect(liveIn(table, 'large').every(isReduced)).toBe(true);
    expect(liveIn(table, 'small').some(isReduced)).toBe(false);
    expect(table.live.bytes).toBe(10_000 + 20 * REDUCED_BYTES);
    expect(reducedIn(table)).toEqual(['large']);
  });

  it('keep what the history and metrics need', () => {
    const { table, put } = fixture(budgetOf({ namespaceBytes: 1_500 }));
    put(other('tls', { expiries: { certificate: 7 }, terminating: true }));
    put(other('more'));
    expect(table.live.get(NAMESPACE, 'tls')).toEqual({
      kind: 'live',
      isReduced: true,
      namespace: NAMESPACE,
      name: 'tls',
      uid: 'uid-tls',
      resourceVersion: '1',
      terminating: true,
      expiries: { certificate: 7 },
      heapBytes: 1_000,
    });
    expect([...table.live.withExpiry]).toHaveLength(1);
  });

  it('never take more than all may, while they arrive either: the largest namespace is reduced first', () => {
    const { table, put } = fixture(budgetOf({ tableBytes: () => 50_000 }));
    for (const one of namespaceOf('small', 10)) put(one);
    for (const one of namespaceOf('large', 60)) {
      put(one);
      expect(table.live.bytes).toBeLessThanOrEqual(50_000);
    }
    expect(reducedIn(table)).toEqual(['large']);
  });

  it('fit again once their namespace has shrunk by a quarter, and are then whole when they are listed', () => {
    const memory = budgetOf({ namespaceBytes: 10_000 });
    const { table, put, drop } = fixture(memory);
    for (const one of namespaceOf(NAMESPACE, 12)) put(one);
    for (let index = 11; index > 7; index--) drop(`s${index}`);
    expect(table.live.fitsAgain(NAMESPACE)).toBe(false);
    expect(table.live.namespaces.get(NAMESPACE)?.isOver).toBe(true);
    drop('s7');
    expect(table.live.fitsAgain(NAMESPACE)).toBe(true);
    const next = newTable(memory);
    for (const one of namespaceOf(NAMESPACE, 7)) next.set(one, one);
    expect(next.live.namespaces.get(NAMESPACE)?.isOver).toBe(false);
    expect(liveIn(next, NAMESPACE).some(isReduced)).toBe(false);
    expect(next.live.bytes).toBe(7_000);
  });

  it('stay reduced in the table of the next list, with its next Secret, too', () => {
    const create = () => newTable(budgetOf({ namespaceBytes: 10_000 }));
    const [former, next] = [create(), create()];
    for (const one of namespaceOf(NAMESPACE, 12)) former.set(one, one);
    for (const one of former.values()) next.set(one, one);
    const more = other('more', { heapBytes: 100 });
    next.set(more, more);
    expect(liveIn(next, NAMESPACE).every(isReduced)).toBe(true);
  });
});

describe('the history objects of a table', () => {
  it('meet their live Secret under its UID', () => {
    const { table, put, putHistory } = fixture();
    putHistory(snapshotObject(1));
    put(DB);
    putHistory(snapshotObject(2));
    put(other('web'));
    expect(table.history.of(KEY).map(({ name }) => name)).toEqual([
      snapshotObject(1).name,
      snapshotObject(2).name,
    ]);
    expect(table.history.group(KEY).map(({ kind }) => kind)).toEqual(['live', 'history', 'history']);
    expect([...table.history.keys()]).toEqual([KEY]);
  });

  it('do not meet a live Secret of another namespace', () => {
    const { table, put, putHistory } = fixture();
    put({ ...DB, namespace: 'team-b' });
    putHistory(snapshotObject(1));
    expect(table.history.group(KEY).map(({ kind }) => kind)).toEqual(['history']);
  });

  it('leave no group behind', () => {
    const { table, putHistory, drop } = fixture();
    putHistory(snapshotObject(1));
    drop(snapshotObject(1).name);
    expect([[...table.history.keys()], table.history.of(KEY), [...table.values()]]).toEqual([[], [], []]);
  });

  it('are counted by their state, whichever of them or of their live Secret comes, changes or goes', () => {
    const { table, put, putHistory, drop } = fixture();
    const statistics = () => Object.values(table.history.statistics());
    const unlabeled = { ...snapshotObject(3), labels: new Map<string, string>() };
    for (const object of [snapshotObject(1), snapshotObject(2), unlabeled]) putHistory(object);
    expect(statistics()).toEqual([0, 2, 1]);
    put(DB);
    put({ ...DB, resourceVersion: '1001' });
    expect(statistics()).toEqual([2, 0, 1]);
    putHistory(snapshotObject(3));
    expect(statistics()).toEqual([3, 0, 0]);
    drop(snapshotObject(1).name);
    drop('db');
    expect(statistics()).toEqual([0, 2, 0]);
    // The UID now belongs to a Secret of another name.
    put(other('renamed', { uid: UID }));
    expect(statistics()).toEqual([0, 0, 2]);
  });
});

it('an object that becomes history, or live again, is only that', () => {
  const { table, put, putHistory } = fixture();
  const { name } = snapshotObject(1);
  const live = other(name);
  put(live);
  putHistory(snapshotObject(1));
  expect([table.live.size, table.history.of(KEY).length, table.get(NAMESPACE, name)?.kind]).toEqual([
    0,
    1,
    'history',
  ]);
  put(live);
  expect([table.live.size, table.history.of(KEY).length, table.get(NAMESPACE, name)?.kind]).toEqual([
    1,
    0,
    'live',
  ]);
});
