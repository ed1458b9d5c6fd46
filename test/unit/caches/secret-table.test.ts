import { describe, expect, it } from 'vitest';
import type { CachedSecret } from '../../../src/caches/cached-secret.ts';
import { createSecretTables, type SecretRecord } from '../../../src/caches/secret-table.ts';
import { keyOfHistory } from '../../../src/history/reconciler/reconcile.ts';
import type { SecretMetadata } from '../../../src/kube/secret.ts';
import { indexedSecret, snapshotObject, UID } from '../history/reconciler/history-objects.ts';
import { cachedSecret } from './cache-fixture.ts';

const NAMESPACE = 'team-a';
const KEY = keyOfHistory(NAMESPACE, UID);
/** The live Secret that the snapshots name. */
const DB = cachedSecret('db', 1_000, { namespace: NAMESPACE, uid: UID, length: 5 });
const other = (name: string, more: Partial<CachedSecret> = {}) =>
  cachedSecret(name, 1, { namespace: NAMESPACE, ...more });

const newTables = () =>
  createSecretTables<CachedSecret>({
    sizeOf: ({ length }) => length,
    tracks: ({ notAfter }) => notAfter !== undefined,
  });

function fixture() {
  const table = newTables()();
  const put = (record: SecretRecord<CachedSecret>) => {
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

describe('the live Secrets of a table', () => {
  it('are read by namespace, without history objects', () => {
    const { table, put, putHistory } = fixture();
    put(DB);
    put(other('web'));
    put(other('elsewhere', { namespace: 'team-b' }));
    putHistory(snapshotObject(1));
    expect(table.live.of(NAMESPACE).map(({ name }) => name)).toEqual(['db', 'web']);
    expect([table.live.count(NAMESPACE), table.live.count('nowhere'), table.live.size]).toEqual([2, 0, 3]);
    expect(table.live.get(NAMESPACE, snapshotObject(1).name)).toBeUndefined();
    expect([...table.values()]).toHaveLength(4);
  });

  it('give their namespace a new version with each change, and none once it is empty', () => {
    const { table, put, drop } = fixture();
    const seen = new Set([table.live.version(NAMESPACE)]);
    put(DB);
    seen.add(table.live.version(NAMESPACE));
    put({ ...DB, resourceVersion: '1001' });
    seen.add(table.live.version(NAMESPACE));
    expect(seen.size).toBe(3);
    drop('db');
    expect(table.live.version(NAMESPACE)).toBe(0);
  });

  it('keep the version of their namespace while only history changes', () => {
    const { table, put, putHistory, drop } = fixture();
    put(DB);
    const version = table.live.version(NAMESPACE);
    putHistory(snapshotObject(1));
    drop(snapshotObject(1).name);
    expect(table.live.version(NAMESPACE)).toBe(version);
  });

  it('never give a namespace the version that it had in an earlier table', () => {
    const createTable = newTables();
    const versions = [createTable(), createTable()].map((table) => {
      table.set(DB, DB);
      return table.live.version(NAMESPACE);
    });
    expect(new Set(versions).size).toBe(2);
  });

  it('are summed, and those with a certificate kept at hand', () => {
    const { table, put, drop } = fixture();
    put(DB);
    const certificate = other('tls', { notAfter: 1, length: 3 });
    put(certificate);
    expect([table.live.bytes, [...table.live.tracked()]]).toEqual([8, [certificate]]);
    put({ ...certificate, notAfter: undefined, length: 1 });
    expect([table.live.bytes, [...table.live.tracked()]]).toEqual([6, []]);
    drop('tls');
    drop('db');
    expect([table.live.bytes, table.live.size]).toEqual([0, 0]);
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
