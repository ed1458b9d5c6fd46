import type { Authorizer } from '../access/authorizer.ts';
import { isServiceError, ServiceError } from '../errors/service-error.ts';
import type { SnapshotStore } from '../history/ports.ts';
import { COLLECTION_LIMITS } from '../kube/collect.ts';
import { overBudget } from '../kube/read-pages.ts';
import type { Clock } from '../timing/clock.ts';
import { startDeadline, type Deadline } from '../timing/deadline.ts';
import type { ListAnswers } from './list-answers.ts';
import type { Compress } from './list-body.ts';
import type {
  CachedState,
  KnownOverBudget,
  ListCache,
  ListOutcome,
  ListSource,
  LiveReason,
} from './list-cache.ts';
import type { LiveLists, LiveListsDependencies } from './live-lists.ts';
import type { PageTokens } from './page-token.ts';
import type { NamespaceView, RetainedViews, Views } from './views.ts';

/** If there is no cache, every list is live, and there are no searches. */
export interface ListsDependencies extends LiveListsDependencies {
  readonly store: Pick<SnapshotStore, 'listPage' | 'listMetadata'>;
  readonly authorizer: Pick<Authorizer, 'forList' | 'forLists'>;
  readonly managedOnly: boolean;
  /** Compresses lists, which hold no values. */
  readonly compress: Compress;
  /** Of `continue` tokens, see `createPageTokens`. */
  readonly tokenKey: Uint8Array;
  readonly clock: Pick<Clock, 'now' | 'wallNow'>;
  /** Called for every list as soon as its source is decided. A live list may fail after that. */
  readonly onList: (outcome: ListOutcome) => void;
}

/** What lists are made with. */
export interface ListParts extends ListsDependencies {
  readonly liveLists: LiveLists;
  readonly listAnswers: ListAnswers;
  readonly views: Views;
  readonly retainedViews: RetainedViews;
  readonly tokens: PageTokens;
}

/** What searches are made with. */
export interface CachedLists extends ListParts {
  readonly listCache: ListCache;
}

/** A view that is as new as a list has to be. */
export interface FreshView {
  readonly view: NamespaceView;
  readonly from: ListSource;
}

/** How long a page waits for a cache that is behind. */
const WAIT_MS = 1_000;

export function notFresh(reason: LiveReason): ServiceError {
  if (reason === 'disabled') {
    const disabled = 'This needs the lists in memory, which are disabled here (SERVICE_LIST_CACHE)';
    return new ServiceError('cacheUnavailable', disabled, { reason });
  }
  const message = 'The list is not up to date at the moment; try again';
  return new ServiceError('cacheUnavailable', message, { reason, retryAfterSeconds: 2 });
}

/** The error of a list that is not even collected: that would be expensive, and fail. */
function refused(reason: KnownOverBudget, { onList }: ListParts): ServiceError {
  onList({ source: 'refused', reason });
  if (reason === 'tooManyObjects') return overBudget('Secrets', 'objects');
  const message = 'The Secrets of this namespace take more memory than the service may use for them';
  return new ServiceError('listOverBudget', message, { reason: 'listOverBudget:memory' });
}

async function liveView(
  { liveLists, onList }: ListParts,
  namespace: string,
  reason: LiveReason,
  deadline: Deadline,
): Promise<FreshView> {
  const from = { source: 'live', reason } as const;
  onList(from);
  return { view: await liveLists.join(namespace, deadline), from };
}

/** The view of what the cache has returned just now. */
async function cachedView({ views }: ListParts, namespace: string, state: CachedState): Promise<FreshView> {
  return { view: await views.of(namespace, state), from: { source: 'cache', ageMs: state.ageMs } };
}

/**
 * A view for a whole list: of the cache if it is current, otherwise collected live.
 * @param live whether the client does not accept a response from a cache
 * @throws {ServiceError} `listOverBudget`, or any error of a live list
 */
export async function wholeView(
  lists: ListParts,
  namespace: string,
  live: boolean,
  deadline: Deadline,
): Promise<FreshView> {
  const state = (await lists.listCache?.state(namespace, deadline, live ? 0 : undefined)) ?? 'disabled';
  if (state === 'memory') throw refused(state, lists);
  if (typeof state === 'object' && state.count > COLLECTION_LIMITS.objects)
    throw refused('tooManyObjects', lists);
  if (live) return liveView(lists, namespace, 'noCache', deadline);
  if (typeof state === 'string') return liveView(lists, namespace, state, deadline);
  const cached = await cachedView(lists, namespace, state);
  if (cached.view.bytes > COLLECTION_LIMITS.bytes) return liveView(lists, namespace, 'overBudget', deadline);
  lists.onList(cached.from);
  return cached;
}

/**
 * A view for a page: of the cache, or where that is not fresh collected live, if a list may have so many Secrets.
 * @throws {ServiceError} `cacheUnavailable`, `listOverBudget`, or any error of a live list
 */
export async function pageView(lists: ListParts, namespace: string, deadline: Deadline): Promise<FreshView> {
  const { listCache } = lists;
  if (listCache === undefined) return liveView(lists, namespace, 'disabled', deadline);
  const early = await listCache.state(namespace, deadline, WAIT_MS);
  const isBehind = typeof early === 'string' && early !== 'memory';
  if (isBehind && listCache.size(namespace) <= COLLECTION_LIMITS.objects)
    return liveView(lists, namespace, early, deadline).catch((error: unknown) => {
      const canBeConfirmed = early === 'behind' || early === 'uncertain';
      throw canBeConfirmed && isServiceError(error, 'listOverBudget') ? notFresh(early) : error;
    });
  const view = await confirmedView({ ...lists, listCache }, namespace, early, deadline);
  if (view === 'memory') throw refused(view, lists);
  return view;
}

/**
 * A view of the cache alone, if need be once it has caught up.
 * @param early what the cache has returned just now
 * @throws {ServiceError} `cacheUnavailable`
 */
export async function confirmedView(
  lists: CachedLists,
  namespace: string,
  early: CachedState | LiveReason | 'memory',
  deadline: Deadline,
): Promise<FreshView | 'memory'> {
  if (early === 'memory') return early;
  if (typeof early === 'object') return cachedView(lists, namespace, early);
  await confirmCache(lists, namespace, early, deadline);
  const state = await lists.listCache.state(namespace, deadline);
  if (state === 'memory') return state;
  if (typeof state === 'object') return cachedView(lists, namespace, state);
  throw notFresh(state);
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
    } else {
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
