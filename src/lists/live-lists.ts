import { SharedRuns } from '../timing/shared-runs.ts';
import type { Deadline } from '../timing/deadline.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { AnnotationCodec } from '../kube/annotation-codec.ts';
import { collectSecrets } from '../kube/collect.ts';
import { claimsToBeHistory } from '../history/history.ts';
import type { SnapshotStore } from '../history/ports.ts';
import type { ListCache } from './list-cache.ts';
import { listItemOf } from './list-item.ts';
import { viewOf, type NamespaceView } from './views.ts';

/**
 * All live Secrets of a namespace, collected for all waiting requests, before anyone's access is considered: shared and
 * limited, see {@link createLiveLists}.
 */
export type LiveLists = SharedRuns<string, NamespaceView>;

export interface LiveListsDependencies {
  readonly store: Pick<SnapshotStore, 'listPage'>;
  readonly codec: Pick<AnnotationCodec, 'liveSelector'>;
  readonly listCache: ListCache | undefined;
  /** Counts a list that is refused because too many are waiting. */
  readonly countRefusal: (bound: 'live_lists') => void;
}

/** Memory would allow many more, but other requests wait for the event loop. */
const AT_ONCE = 2;
/** Namespaces whose collection waits for its turn. */
const WAITING = 16;

/**
 * Collects the Secrets of namespaces live: one collection at a time per namespace, shared by all requests that arrived
 * before it began, and two at once per replica. So the cost of lists for the cluster and for the memory of the replica
 * does not grow with the number of requests. Beyond a short queue lists are refused.
 */
export function createLiveLists(dependencies: LiveListsDependencies): LiveLists {
  return new SharedRuns({
    keyOf: (namespace) => namespace,
    run: (namespace: string, deadline) => collectLive(dependencies, namespace, deadline),
    atOnce: AT_ONCE,
    queue: {
      waiting: WAITING,
      refusal: { message: 'Too many lists are being collected; try again', reason: 'liveLists' },
      onRefused: () => {
        dependencies.countRefusal('live_lists');
      },
    },
    deadlineExceeded: () =>
      new ServiceError('listFailed', 'The list of Secrets could not be collected', {
        reason: 'deadlineExceeded',
      }),
  });
}

/**
 * The selector excludes snapshots at the cluster; their own metadata is checked here as well. The cache is notified of
 * the list, so that a later response from the cache is not older.
 */
async function collectLive(
  { store, codec, listCache }: LiveListsDependencies,
  namespace: string,
  deadline: Deadline,
): Promise<NamespaceView> {
  const since = listCache?.startObservation();
  const { resourceVersion, items } = await collectSecrets({
    listPage: (page) => store.listPage(namespace, { labelSelector: codec.liveSelector, ...page }, deadline),
    keep: (secret) => (claimsToBeHistory(secret) ? undefined : listItemOf(secret)),
    // A collection that fails, as one over the budget always does, still gives the cache a revision to reach.
    onMore: (revision) => {
      if (since !== undefined) listCache?.noteClusterRevision(namespace, revision, since);
    },
  });
  const view = await viewOf(
    namespace,
    items.filter((item) => item !== undefined),
  );
  if (since !== undefined) listCache?.noteList(namespace, { resourceVersion, items: view.items }, since);
  return view;
}
