import { describe, expect, it } from 'vitest';
import { boundMetadata, boundSnapshots } from '../../../../src/history/snapshot/inventory.ts';
import type { Deadline } from '../../../../src/timing/deadline.ts';
import type { SnapshotStore } from '../../../../src/history/ports.ts';
import type { HistoryContext } from '../../../../src/history/snapshot/context.ts';
import type { StoredSecret } from '../../../../src/kube/secret.ts';
import type { Snapshot } from '../../../../src/history/snapshot/snapshot.ts';
import { codeOf } from '../../../fakes/fake-journal.ts';
import { deadline, clusterWithLive, seedLive, seedSnapshot, withEntries } from '../live-secret.ts';
import { codec } from '../../../fakes/annotations.ts';

const whole = (context: HistoryContext<'listPage'>, live: StoredSecret, during: Deadline) =>
  boundSnapshots(context, live, (snapshot) => snapshot, during);

describe.each([
  { how: 'with their values', bound: whole, method: 'secrets.listPage' },
  { how: 'without their values', bound: boundMetadata, method: 'secrets.listMetadata' },
] as const)('the eligible snapshots of a live Secret, $how,', ({ bound, method }) => {
  it('are newest first, by number and not by text', async () => {
    const { cluster, live } = clusterWithLive();
    for (const version of [9, 2, 11, 10, 1]) seedSnapshot(cluster, live, version);
    const found = await bound({ store: cluster.secrets, codec }, live, deadline);
    expect(found.map(({ version }) => version)).toEqual([11, 10, 9, 2, 1]);
  });

  it('are none where there are none', async () => {
    const { cluster, live } = clusterWithLive();
    expect(await bound({ store: cluster.secrets, codec }, live, deadline)).toEqual([]);
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
    const found = await bound({ store: cluster.secrets, codec }, live, deadline);
    expect(found.map(({ version }) => version)).toEqual([1]);
  });

  it('leave out what archives a Secret of another name, although it has the UID', async () => {
    const { cluster, live } = clusterWithLive();
    seedSnapshot(cluster, { ...live, name: 'other' }, 2);
    expect(await bound({ store: cluster.secrets, codec }, live, deadline)).toEqual([]);
  });

  it('never attach to a recreated name', async () => {
    const { cluster, live } = clusterWithLive();
    seedSnapshot(cluster, live, 1);
    cluster.remove(live);
    const recreated = seedLive(cluster);
    expect(await bound({ store: cluster.secrets, codec }, recreated, deadline)).toEqual([]);
  });

  it('are requested by kind and UID in one list', async () => {
    const { cluster, live } = clusterWithLive();
    const selectors: string[] = [];
    const store: Pick<SnapshotStore, 'listPage' | 'listMetadata'> = {
      listPage: (namespace, page, budget) => {
        selectors.push(page.labelSelector);
        return cluster.secrets.listPage(namespace, page, budget);
      },
      listMetadata: (namespace, page, budget) => {
        selectors.push(page.labelSelector);
        return cluster.secrets.listMetadata(namespace, page, budget);
      },
    };
    await bound({ store, codec }, live, deadline);
    expect(selectors).toEqual([`service.io/kind=history,service.io/history-uid=${live.uid}`]);
  });

  it('are all or none', async () => {
    const { cluster, live } = clusterWithLive();
    seedSnapshot(cluster, live, 1);
    cluster.fail({ method }, 'unavailable');
    expect(await codeOf(bound({ store: cluster.secrets, codec }, live, deadline))).toBe('listFailed');
  });
});

describe('a snapshot that is being deleted', () => {
  it('is no version any longer, but is still cleaned', async () => {
    const { cluster, live } = clusterWithLive();
    const snapshot = seedSnapshot(cluster, live, 2);
    cluster.touch(snapshot, { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['example.com/hold'] });
    expect(await whole({ store: cluster.secrets, codec }, live, deadline)).toEqual([]);
    expect(await boundMetadata({ store: cluster.secrets, codec }, live, deadline)).toHaveLength(1);
  });
});

describe('snapshots whose values are more than a list may hold', () => {
  it('are listed page by page, and counted without them', async () => {
    const { cluster, live } = clusterWithLive();
    const data = new Map([['large', new Uint8Array(1_048_576)]]);
    for (let version = 1; version <= 33; version++) seedSnapshot(cluster, live, version, () => ({ data }));
    const sizeOf = ({ version, sourceResourceVersion, data: { size } }: Snapshot) => ({
      version,
      sourceResourceVersion,
      size,
    });
    const listed = await boundSnapshots({ store: cluster.secrets, codec }, live, sizeOf, deadline);
    expect(listed.map(({ size }) => size)).toEqual(Array(33).fill(1));
    expect(await boundMetadata({ store: cluster.secrets, codec }, live, deadline)).toHaveLength(33);
  });
});
