import { ServiceError } from '../errors/service-error.ts';
import { COLLECTION_LIMITS } from '../kube/collect.ts';
import type { Deadline } from '../timing/deadline.ts';
import type { LiveReason } from './list-cache.ts';
import { refused, type ListOutcome, type ListSource } from './list-secrets.ts';
import { settleCache, type SettleDependencies } from './settle-cache.ts';
import type { CurrentView, NamespaceView, Views } from './views.ts';

export interface FreshViewDependencies extends SettleDependencies {
  readonly views: Views;
  readonly onList: (outcome: ListOutcome) => void;
}

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
  dependencies: FreshViewDependencies,
  namespace: string,
  deadline: Deadline,
): Promise<FreshView> {
  const { views, listCache, liveLists, onList } = dependencies;
  const cached = await views.of(namespace, deadline, { waitMs: WAIT_MS });
  if (cached === 'memory' || cached === 'tooManyObjects') throw refused(cached, onList);
  if (typeof cached === 'object')
    return { view: cached.view, from: { source: 'cache', ageMs: cached.ageMs } };
  if (listCache.size(namespace) > COLLECTION_LIMITS.objects) {
    const { view, ageMs } = await settledView(dependencies, namespace, cached, deadline);
    return { view, from: { source: 'cache', ageMs } };
  }
  const from = { source: 'live', reason: cached } as const;
  onList(from);
  const { view } = await liveLists.join(namespace, deadline);
  return { view, from };
}

/**
 * A view of the cache alone, if need be once it has caught up.
 * @throws {ServiceError} `cacheUnavailable`
 */
async function settledView(
  dependencies: Pick<FreshViewDependencies, 'views'> & SettleDependencies,
  namespace: string,
  reason: LiveReason,
  deadline: Deadline,
): Promise<CurrentView> {
  await settleCache(dependencies, namespace, reason, deadline);
  const settled = await dependencies.views.of(namespace, deadline);
  if (typeof settled === 'object') return settled;
  throw notFresh(settled === 'memory' || settled === 'tooManyObjects' ? 'overBudget' : settled);
}

/**
 * The same for a search, which collects nothing; undefined where memory holds too little of the namespace.
 * @throws {ServiceError} `cacheUnavailable`
 */
export async function searchedView(
  dependencies: Pick<FreshViewDependencies, 'views'> & SettleDependencies,
  namespace: string,
  deadline: Deadline,
): Promise<NamespaceView | undefined> {
  const cached = await dependencies.views.of(namespace, deadline);
  if (cached === 'memory' || cached === 'tooManyObjects') return undefined;
  if (typeof cached === 'object') return cached.view;
  return (await settledView(dependencies, namespace, cached, deadline)).view;
}
