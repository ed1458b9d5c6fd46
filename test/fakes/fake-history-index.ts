import type { HistoryIndex } from '../../src/history/snapshot/inventory.ts';
import { toIndexed } from '../../src/history/snapshot/indexed-secret.ts';
import type { FakeCluster } from './fake-cluster.ts';
import { metadataOf } from './fake-objects.ts';

/** A watch that is up to date at every moment, and whose answers cost no call. */
export function createFakeHistoryIndex(cluster: Pick<FakeCluster, 'all'>): HistoryIndex {
  return {
    at: ({ namespace }) => {
      const objects = cluster
        .all()
        .map((secret) => toIndexed(metadataOf(secret)))
        .filter((object) => object.namespace === namespace);
      const history = objects.filter((object) => object.kind === 'history');
      const byUid = Map.groupBy(history, ({ claimedUid }) => claimedUid);
      const uids = new Map(objects.map(({ name, uid }) => [name, uid]));
      return Promise.resolve({
        historyOf: (uid) => byUid.get(uid) ?? [],
        uidOf: (name) => uids.get(name),
      });
    },
  };
}
