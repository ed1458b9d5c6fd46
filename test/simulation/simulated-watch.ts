import { cachedSecretOf, isWhole } from '../../src/caches/cached-secret.ts';
import { createSecretTable, type SecretRecord, type SecretTable } from '../../src/caches/secret-table.ts';
import { toIndexed } from '../../src/history/history.ts';
import { ObjectStore } from '../../src/informers/object-store.ts';
import type { ListCache } from '../../src/lists/list-cache.ts';
import { bytesOf, metadataOf, type FakeSecret } from '../fakes/fake-objects.ts';
import type { Scheduler } from './scheduler.ts';
import type { SimulatedCluster } from './simulated-cluster.ts';

export type SimulatedWatch = ReturnType<typeof startWatch>;

/** What the watch of a replica has brought so far: everything at its start, and later one event at a time. */
export function startWatch(
  owner: string,
  { cluster, scheduler }: { readonly cluster: SimulatedCluster; readonly scheduler: Scheduler },
  onChange: Parameters<ListCache['onChange']>[0],
) {
  const store = new ObjectStore<SecretRecord, SecretTable>(() => createSecretTable());
  let revision = cluster.revision();
  const { events, close } = cluster.watch();
  for (const secret of cluster.fake.all()) store.put(recordOf(secret));
  scheduler.addSource({
    owner,
    label: 'receives a change',
    isReady: () => events.length > 0 || Number(revision) < Number(cluster.revision()),
    run() {
      const event = events.shift();
      // Without one it is a bookmark: everything up to here was sent.
      revision = event?.object.resourceVersion ?? cluster.revision();
      if (event === undefined) return;
      const change = store[event.kind === 'gone' ? 'remove' : 'put'](recordOf(event.object));
      if (change === undefined) return;
      const { previous } = change;
      onChange(
        event.object.namespace,
        previous?.kind === 'live' && isWhole(previous) ? previous.heapBytes : 0,
      );
    },
  });
  return {
    get objects() {
      return store.table;
    },
    status: () => ({ synced: true, revision, silenceMs: 0, isForbidden: false }),
    close,
  };
}

function recordOf(secret: FakeSecret): SecretRecord {
  const indexed = toIndexed(metadataOf(secret));
  return indexed.kind === 'history' ? indexed : cachedSecretOf({ ...secret, bytes: bytesOf(secret) });
}
