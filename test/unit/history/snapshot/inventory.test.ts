import { describe, expect, it } from 'vitest';
import { boundMetadata, type HistoryContext } from '../../../../src/history/snapshot/inventory.ts';
import { listVersions } from '../../../../src/history/snapshot/version-list.ts';
import type { Deadline } from '../../../../src/timing/deadline.ts';
import type { SnapshotStore } from '../../../../src/history/ports.ts';
import type { StoredSecret } from '../../../../src/kube/secret.ts';
import { codeOf } from '../../../fakes/fake-journal.ts';
import { contextOf, deadline, clusterWithLive, seedLive, seedSnapshot, withEntries } from '../live-secret.ts';

const listed = async (context: HistoryContext, live: StoredSecret, during: Deadline) =>
  (await listVersions(context, live, during)).snapshots;

describe.each([
  { how: 'in the list of versions', bound: listed },
  { how: 'without their values', bound: boundMetadata },
] as const)('the eligible snapshots of a live Secret, $how,', ({ bound }) => {
  it('are newest first, by number and not by text', async () => {
    const { cluster, live } = clusterWithLive();
    for (const version of [9, 2, 11, 10, 1]) seedSnapshot(cluster, live, version);
    const found = await bound(contextOf(cluster.secrets), live, deadline);
    expect(found.map(({ version }) => version)).toEqual([11, 10, 9, 2, 1]);
  });

  it('are none where there are none', async () => {
    const { cluster, live } = clusterWithLive();
    expect(await bound(contextOf(cluster.secrets), live, deadline)).toEqual([]);
  });

  it('leave out what has incomplete metadata, belongs to another Secret, namespace or UID, or is no history', async () => {
    const { cluster, live } = clusterWithLive();
    seedSnapshot(cluster, live, 1);
    seedSnapshot(cluster, live, 2, ({ annotations }) => ({
      annotations: withEntries(annotations, { 'service.io/kind': undefined }),
    }));
    seedSnapshot(cluster, live, 3, () => ({ name: 'db.v3.copied' }));
    seedSnapshot(cluster, live, 4, ({ annotations }) => ({
      annotations: withEntries(annotations, { 'service.io/history-of': 'other' }),
    }));
    seedSnapshot(cluster, live, 5, () => ({ namespace: 'team-b' }));
    seedSnapshot(cluster, seedLive(cluster, { name: 'other' }), 6);
    cluster.seed({ namespace: 'team-a', name: 'plain', labels: { 'service.io/history-uid': live.uid } });
    const found = await bound(contextOf(cluster.secrets), live, deadline);
    expect(found.map(({ version }) => version)).toEqual([1]);
  });

  it('leave out what archives a Secret of another name, although it has the UID', async () => {
    const { cluster, live } = clusterWithLive();
    seedSnapshot(cluster, { ...live, name: 'other' }, 2);
    expect(await bound(contextOf(cluster.secrets), live, deadline)).toEqual([]);
  });

  it('never attach to a recreated name', async () => {
    const { cluster, live } = clusterWithLive();
    seedSnapshot(cluster, live, 1);
    cluster.remove(live);
    const recreated = seedLive(cluster);
    expect(await bound(contextOf(cluster.secrets), recreated, deadline)).toEqual([]);
  });

  it('are requested by kind and UID in one list', async () => {
    const { cluster, live } = clusterWithLive();
    const selectors: string[] = [];
    const store: SnapshotStore = {
      ...cluster.secrets,
      listMetadata: (namespace, page, budget) => {
        selectors.push(page.labelSelector);
        return cluster.secrets.listMetadata(namespace, page, budget);
      },
    };
    await bound(contextOf(store), live, deadline);
    expect(selectors).toEqual([`service.io/kind=history,service.io/history-uid=${live.uid}`]);
  });

  it('are all or none', async () => {
    const { cluster, live } = clusterWithLive();
    seedSnapshot(cluster, live, 1);
    cluster.fail({ method: 'secrets.listMetadata' }, 'unavailable');
    expect(await codeOf(bound(contextOf(cluster.secrets), live, deadline))).toBe('listFailed');
  });
});

describe('a snapshot that is being deleted', () => {
  it('is no version any longer, but is still cleaned', async () => {
    const { cluster, live } = clusterWithLive();
    const snapshot = seedSnapshot(cluster, live, 2);
    cluster.touch(snapshot, { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['example.com/hold'] });
    expect(await listed(contextOf(cluster.secrets), live, deadline)).toEqual([]);
    expect(await boundMetadata(contextOf(cluster.secrets), live, deadline)).toHaveLength(1);
  });
});

describe('snapshots whose values are more than a list may hold', () => {
  it('are read one by one, and counted without them', async () => {
    const { cluster, live } = clusterWithLive();
    const data = new Map([['large', new Uint8Array(1_048_576)]]);
    for (let version = 1; version <= 33; version++) seedSnapshot(cluster, live, version, () => ({ data }));
    const versions = await listed(contextOf(cluster.secrets), live, deadline);
    expect(versions.map(({ keys }) => keys)).toEqual(Array(33).fill(['large']));
    expect(await boundMetadata(contextOf(cluster.secrets), live, deadline)).toHaveLength(33);
  });
});
