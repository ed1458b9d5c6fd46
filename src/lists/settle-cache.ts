import { isServiceError } from '../errors/service-error.ts';
import type { SnapshotStore } from '../history/ports.ts';
import type { AnnotationCodec } from '../kube/annotation-codec.ts';
import { COLLECTION_LIMITS } from '../kube/collect.ts';
import { startDeadline, type Deadline } from '../timing/deadline.ts';
import type { ListCache, LiveReason } from './list-cache.ts';
import type { LiveLists } from './live-lists.ts';

export interface SettleDependencies {
  readonly store: Pick<SnapshotStore, 'listMetadata'>;
  readonly codec: Pick<AnnotationCodec, 'liveSelector'>;
  readonly listCache: ListCache;
  readonly liveLists: LiveLists;
}

/** A search waits for any namespace: a cluster that is slow to answer must not hold it up for long. */
const SETTLE_MS = 2_000;

/**
 * What is answered from memory alone makes no live list, so it would leave a cache uncertain that a live list could
 * compare with. This makes one; of a namespace with more than a list may have, it reads the cluster's revision, which
 * the cache will reach.
 */
export async function settleCache(
  { store, codec, listCache, liveLists }: SettleDependencies,
  namespace: string,
  reason: LiveReason,
  deadline: Deadline,
): Promise<void> {
  if (reason !== 'uncertain' && reason !== 'behind') return;
  const limited = startDeadline(Math.min(SETTLE_MS, deadline.remainingMs()), deadline.signal);
  try {
    if (listCache.size(namespace) <= COLLECTION_LIMITS.objects) {
      await liveLists.join(namespace, limited);
    } else if (reason === 'uncertain') {
      const since = listCache.startObservation();
      const selection = { labelSelector: codec.liveSelector, limit: 1, maxBytes: COLLECTION_LIMITS.bytes };
      const { resourceVersion } = await store.listMetadata(namespace, selection, limited);
      listCache.noteClusterRevision(namespace, resourceVersion, since);
    }
  } catch (error) {
    // The response then says that the cache does not vouch; the failure itself was logged by the cluster module.
    if (!isServiceError(error)) throw error;
  }
}
