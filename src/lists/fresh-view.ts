import { isServiceError, ServiceError } from '../errors/service-error.ts';
import { COLLECTION_LIMITS } from '../kube/collect.ts';
import { startDeadline, type Deadline } from '../timing/deadline.ts';
import type { CachedLists } from './dependencies.ts';
import type { ListSource, LiveReason } from './list-cache.ts';
import { refused } from './list-secrets.ts';
import type { CurrentView, NamespaceView } from './views.ts';

/** A view for a page. */
export interface FreshView {
  readonly view: NamespaceView;
  readonly from: ListSource;
}

const RETRY_AFTER_SECONDS = 2;
/** How long a page waits for a cache that is behind. */
const WAIT_MS = 1_000;

export function notFresh(reason: LiveReason): ServiceError {
  return new ServiceError('cacheUnavailable', 'The list is not up to date at the moment; try again', {
    reason,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

/**
 * A view of a namespace for a page: of the cache, or where that is not fresh collected live, if a list may have so many
 * Secrets.
 * @throws {ServiceError} `cacheUnavailable`, `listOverBudget`, or any error of a live list
 */
export async function freshView(
  dependencies: CachedLists,
  namespace: string,
  deadline: Deadline,
): Promise<FreshView> {
  const { views, listCache, liveLists, onList } = dependencies;
  const cached = await views.of(namespace, deadline, { waitMs: WAIT_MS });
  if (cached === 'memory' || cached === 'tooManyObjects') throw refused(cached, onList);
  if (typeof cached === 'object')
    return { view: cached.view, from: { source: 'cache', ageMs: cached.ageMs } };
  if (listCache.size(namespace) > COLLECTION_LIMITS.objects) {
    const { view, ageMs } = await confirmedView(dependencies, namespace, cached, deadline);
    return { view, from: { source: 'cache', ageMs } };
  }
  const from = { source: 'live', reason: cached } as const;
  onList(from);
  return { view: await liveLists.join(namespace, deadline), from };
}

/**
 * A view of the cache alone, if need be once it has caught up.
 * @throws {ServiceError} `cacheUnavailable`
 */
async function confirmedView(
  dependencies: CachedLists,
  namespace: string,
  reason: LiveReason,
  deadline: Deadline,
): Promise<CurrentView> {
  await confirmCache(dependencies, namespace, reason, deadline);
  const confirmed = await dependencies.views.of(namespace, deadline);
  if (typeof confirmed === 'object') return confirmed;
  throw notFresh(confirmed === 'memory' || confirmed === 'tooManyObjects' ? 'overBudget' : confirmed);
}

/**
 * The same for a search, which collects nothing; undefined where memory holds too little of the namespace.
 * @throws {ServiceError} `cacheUnavailable`
 */
export async function searchedView(
  dependencies: CachedLists,
  namespace: string,
  deadline: Deadline,
): Promise<NamespaceView | undefined> {
  const cached = await dependencies.views.of(namespace, deadline);
  if (cached === 'memory' || cached === 'tooManyObjects') return undefined;
  if (typeof cached === 'object') return cached.view;
  return (await confirmedView(dependencies, namespace, cached, deadline)).view;
}

/** A search waits for any namespace: a cluster that is slow to answer must not hold it up for long. */
const CONFIRM_MS = 2_000;

/**
 * What is answered from memory alone makes no live list, so it would leave a cache uncertain that a live list could
 * compare with. This makes one; of a namespace with more than a list may have, it reads the cluster's revision, which
 * the cache will reach.
 */
export async function confirmCache(
  { store, codec, listCache, liveLists }: CachedLists,
  namespace: string,
  reason: LiveReason,
  deadline: Deadline,
): Promise<void> {
  if (reason !== 'uncertain' && reason !== 'behind') return;
  const limited = startDeadline(Math.min(CONFIRM_MS, deadline.remainingMs()), deadline.signal);
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
    // The response then says that the cache is not fresh; the failure itself was logged by the cluster module.
    if (!isServiceError(error)) throw error;
  }
}
