import { isServiceError, ServiceError } from '../errors/service-error.ts';
import { COLLECTION_LIMITS } from '../kube/collect.ts';
import { overBudget } from '../kube/read-pages.ts';
import { startDeadline, type Deadline } from '../timing/deadline.ts';
import type { CachedLists } from './dependencies.ts';
import type { CachedState, KnownOverBudget, ListOutcome, ListSource, LiveReason } from './list-cache.ts';
import type { NamespaceView } from './views.ts';

/** A view that is as new as a list has to be. */
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

/** The error of a list that is not even collected. */
export function refused(reason: KnownOverBudget, onList: (outcome: ListOutcome) => void): ServiceError {
  onList({ source: 'refused', reason });
  if (reason === 'tooManyObjects') return overBudget('Secrets', 'objects');
  const message = 'The Secrets of this namespace take more memory than the service may use for them';
  return new ServiceError('listOverBudget', message, { reason: 'listOverBudget:memory' });
}

/** The view of what the cache has returned just now. */
export async function cachedView(
  { views }: Pick<CachedLists, 'views'>,
  namespace: string,
  state: CachedState,
): Promise<FreshView> {
  return { view: await views.of(namespace, state), from: { source: 'cache', ageMs: state.ageMs } };
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
  const { listCache, liveLists, onList } = dependencies;
  const state = await listCache.state(namespace, deadline, WAIT_MS);
  if (state === 'memory') throw refused(state, onList);
  if (typeof state === 'object') return cachedView(dependencies, namespace, state);
  if (listCache.size(namespace) > COLLECTION_LIMITS.objects)
    return confirmedView(dependencies, namespace, state, deadline);
  const from = { source: 'live', reason: state } as const;
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
): Promise<FreshView> {
  await confirmCache(dependencies, namespace, reason, deadline);
  const state = await dependencies.listCache.state(namespace, deadline);
  if (typeof state === 'object') return cachedView(dependencies, namespace, state);
  throw notFresh(state === 'memory' ? 'overBudget' : state);
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
  const state = await dependencies.listCache.state(namespace, deadline);
  if (state === 'memory') return undefined;
  const { view } =
    typeof state === 'object'
      ? await cachedView(dependencies, namespace, state)
      : await confirmedView(dependencies, namespace, state, deadline);
  return view;
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
