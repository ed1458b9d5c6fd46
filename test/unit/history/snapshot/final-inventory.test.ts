import { describe, expect, it } from 'vitest';
import { finalSnapshots, findFinal } from '../../../../src/history/snapshot/final-inventory.ts';
import type { HistoryIndex } from '../../../../src/history/snapshot/inventory.ts';
import type { SnapshotStore } from '../../../../src/history/ports.ts';
import { createFakeHistoryIndex } from '../../../fakes/fake-history-index.ts';
import { deletedFixture } from '../../secrets/deleted-fixture.ts';
import { contextOf, deadline, REF, seedLive, seedSnapshot, withEntries } from '../live-secret.ts';

const RULES = 'service.io/allowed-groups';

/** A final snapshot on the first of two pages. The list expires between them, after something has happened. */
function expiring(happens: (found: ReturnType<typeof seeded>) => void) {
  const found = seeded();
  const { cluster, final } = found;
  cluster.on({ method: 'secrets.listMetadata', skip: 1 }, () => {
    happens(found);
    cluster.expireContinueTokens();
  });
  const listMetadata: SnapshotStore['listMetadata'] = (namespace, page, during) =>
    cluster.secrets.listMetadata(namespace, { ...page, limit: 1 }, during);
  return findFinal(contextOf({ listMetadata }), { namespace: REF.namespace, uid: final.uid }, deadline);
}

function seeded() {
  const { cluster, seedFinal } = deletedFixture();
  const live = seedLive(cluster);
  // Before db.v9 in the order of names.
  const stored = seedFinal(live, 10);
  seedSnapshot(cluster, live, 9);
  cluster.remove(REF);
  return { cluster, final: { uid: live.uid, stored } };
}

describe('the final snapshot of a UID, when the list expires and begins again,', () => {
  it('is as it is stored then', async () => {
    const found = await expiring(({ cluster, final: { stored } }) => {
      cluster.touch(stored, { annotations: withEntries(stored.annotations, { [RULES]: 'team-b' }) });
    });
    expect(found?.version).toBe(10);
    expect(found?.stored.annotations.get(RULES)).toBe('team-b');
  });

  it('is none if it was removed before', async () => {
    const found = expiring(({ cluster, final: { stored } }) => {
      cluster.remove(stored);
    });
    expect(await found).toBeUndefined();
  });
});

it('of all final snapshots of a UID the newest is searched once', async () => {
  const { cluster, seedFinal } = deletedFixture();
  const live = seedLive(cluster);
  for (let version = 1; version <= 20; version++) seedFinal(live, version);
  cluster.remove(REF);
  let compared = 0;
  const index: HistoryIndex = {
    async at(...where) {
      const known = await createFakeHistoryIndex(cluster).at(...where);
      const historyOf = (uid: string) => {
        const history = known?.historyOf(uid) ?? [];
        compared += history.length;
        return history;
      };
      return known && { ...known, historyOf };
    },
  };
  const context = contextOf(cluster.secrets, { index });
  const { items } = await finalSnapshots(context, REF.namespace, ({ version }) => version, deadline);
  expect(items).toEqual([20]);
  expect(compared).toBe(20);
});
