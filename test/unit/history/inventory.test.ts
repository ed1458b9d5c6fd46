import { describe, expect, it } from 'vitest';
import { boundSnapshots } from '../../../src/history/inventory.ts';
import { codeOf } from '../../fakes/fake-journal.ts';
import { call, clusterWithLive, names, seedLive, seedSnapshot, withEntries } from './live-secret.ts';

describe('the eligible snapshots of a live Secret', () => {
  it('are newest first, by number and not by text', async () => {
    const { cluster, live } = clusterWithLive();
    for (const version of [9, 2, 11, 10, 1]) seedSnapshot(cluster, live, version);
    const found = await boundSnapshots(cluster.secrets, live, names, call);
    expect(found.map(({ version }) => version)).toEqual([11, 10, 9, 2, 1]);
  });

  it('are none where there are none', async () => {
    const { cluster, live } = clusterWithLive();
    expect(await boundSnapshots(cluster.secrets, live, names, call)).toEqual([]);
  });

  it('leave out what lacks a mark, belongs to another Secret, namespace or UID, or is no history', async () => {
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
    const found = await boundSnapshots(cluster.secrets, live, names, call);
    expect(found.map(({ version }) => version)).toEqual([1]);
  });

  it('never attach to a recreated name', async () => {
    const { cluster, live } = clusterWithLive();
    seedSnapshot(cluster, live, 1);
    cluster.remove(live);
    const recreated = seedLive(cluster);
    expect(await boundSnapshots(cluster.secrets, recreated, names, call)).toEqual([]);
  });

  it('are asked for by kind and UID in one list', async () => {
    const { cluster, live } = clusterWithLive();
    const selectors: string[] = [];
    const store: Parameters<typeof boundSnapshots>[0] = {
      listPage: (namespace, page, budget) => {
        selectors.push(page.labelSelector);
        return cluster.secrets.listPage(namespace, page, budget);
      },
    };
    await boundSnapshots(store, live, names, call);
    expect(selectors).toEqual([`service.io/kind=history,service.io/history-uid=${live.uid}`]);
  });

  it('are all or none', async () => {
    const { cluster, live } = clusterWithLive();
    seedSnapshot(cluster, live, 1);
    cluster.fail({ method: 'secrets.listPage' }, 'unavailable');
    expect(await codeOf(boundSnapshots(cluster.secrets, live, names, call))).toBe('listFailed');
  });
});
