import { describe, expect, it } from 'vitest';
import { findKnownSnapshots, type HistoryIndex } from '../../../../src/history/snapshot/inventory.ts';
import type { FakeCluster } from '../../../fakes/fake-cluster.ts';
import { createFakeHistoryIndex } from '../../../fakes/fake-history-index.ts';
import {
  contextOf,
  deadline,
  callLines,
  clusterWithLive,
  seedAttempt,
  seedLive,
  seedSnapshot,
  withEntries,
} from '../live-secret.ts';

const BEHIND: HistoryIndex = { at: () => Promise.resolve(undefined) };

describe.each<[how: string, index: (cluster: FakeCluster) => HistoryIndex | undefined, calls: string[]]>([
  ['from an index that is up to date', createFakeHistoryIndex, []],
  ['from one list when the index is behind', () => BEHIND, ['listMetadata']],
  ['from one list without an index', () => undefined, ['listMetadata']],
])('what is known of the history of a Secret, %s,', (_how, index, calls) => {
  function fixture() {
    const { cluster, live } = clusterWithLive();
    return {
      cluster,
      live,
      known: async () => {
        const found = await findKnownSnapshots(
          contextOf(cluster.secrets, { index: index(cluster) }),
          live,
          deadline,
        );
        return found.map(({ version, sourceResourceVersion, eligible }) => ({
          version,
          sourceResourceVersion,
          eligible,
        }));
      },
    };
  }

  it('is each snapshot with its number and what it archives', async () => {
    const { cluster, live, known } = fixture();
    seedSnapshot(cluster, live, 2);
    seedAttempt(cluster, live, 3);
    expect(await known()).toEqual([
      { version: 2, sourceResourceVersion: '2', eligible: true },
      { version: 3, sourceResourceVersion: live.resourceVersion, eligible: true },
    ]);
    expect(callLines(cluster)).toEqual(calls);
  });

  it('names the uid and the revision of each, so that nothing else is ever removed', async () => {
    const { cluster, live } = fixture();
    const { namespace, name, uid, resourceVersion } = seedSnapshot(cluster, live, 2);
    const found = await findKnownSnapshots(
      contextOf(cluster.secrets, { index: index(cluster) }),
      live,
      deadline,
    );
    expect(found).toMatchObject([{ namespace, name, uid, resourceVersion }]);
  });

  it('has the number of what is being deleted, which has no rank', async () => {
    const { cluster, live, known } = fixture();
    const snapshot = seedSnapshot(cluster, live, 2);
    cluster.touch(snapshot, { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['example.com/hold'] });
    expect(await known()).toEqual([{ version: 2, sourceResourceVersion: '2', eligible: false }]);
  });

  it('has the number of what has lost a label, which has no rank before the label is put back', async () => {
    const { cluster, live, known } = fixture();
    seedSnapshot(cluster, live, 2, ({ labels }) => ({
      labels: withEntries(labels, { 'service.io/kind': undefined }),
    }));
    expect(await known()).toEqual([{ version: 2, sourceResourceVersion: '2', eligible: false }]);
  });

  it('has the number of what lacks an annotation, which has no rank', async () => {
    const { cluster, live, known } = fixture();
    seedSnapshot(cluster, live, 2, ({ annotations }) => ({
      annotations: withEntries(annotations, { 'service.io/history-resource-version': undefined }),
    }));
    expect(await known()).toEqual([{ version: 2, sourceResourceVersion: '', eligible: false }]);
  });

  it('is nothing that archives a Secret of another name, although it has the UID', async () => {
    const { cluster, live, known } = fixture();
    seedSnapshot(cluster, { ...live, name: 'other' }, 2);
    expect(await known()).toEqual([]);
  });

  it('is nothing of another UID, although it has the name', async () => {
    const { cluster, live, known } = fixture();
    seedSnapshot(cluster, live, 2);
    cluster.remove(live);
    const recreated = seedLive(cluster);
    expect(
      await findKnownSnapshots(contextOf(cluster.secrets, { index: index(cluster) }), recreated, deadline),
    ).toEqual([]);
    expect(await known()).toHaveLength(1);
  });

  it('is no ordinary Secret that carries the label', async () => {
    const { cluster, live, known } = fixture();
    cluster.seed({ namespace: 'team-a', name: 'plain', labels: { 'service.io/history-uid': live.uid } });
    expect(await known()).toEqual([]);
  });
});

describe('an index that fails', () => {
  it('is a defect, and not taken for an empty history', async () => {
    const { cluster, live } = clusterWithLive();
    const index = { at: () => Promise.reject(new TypeError('a defect')) };
    await expect(findKnownSnapshots(contextOf(cluster.secrets, { index }), live, deadline)).rejects.toThrow(
      TypeError,
    );
  });
});
