import type { Actor } from '../access/actor.ts';
import type { NamespaceInScope } from '../access/namespace-scope.ts';
import type { Deadline } from '../timing/deadline.ts';
import type { CachedLists, ListsDependencies } from './dependencies.ts';
import { notFresh } from './fresh-view.ts';
import { createRetainedViews } from './retained-views.ts';
import { createListAnswers } from './list-answers.ts';
import { listPage, type ListPageRequest } from './list-page.ts';
import { listSecrets, type ListRequest } from './list-secrets.ts';
import { createLiveLists } from './live-lists.ts';
import { createPageTokens } from './page-token.ts';
import { expiringSecrets, searchSecrets, type SearchRequest } from './search-secrets.ts';
import { createViews } from './views.ts';

/** Serialized lists kept for repeated requests. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** What is retained for further pages. */
const MAX_RETAINED_BYTES = 32 * 1024 * 1024;

/** Lists of the live Secrets that someone may see, without values. */
export type Lists = ReturnType<typeof createLists>;

export function createLists(dependencies: ListsDependencies) {
  const { listCache, compress, clock } = dependencies;
  const listAnswers = createListAnswers(MAX_ANSWER_BYTES, compress);
  const liveLists = createLiveLists(dependencies);
  const cached: CachedLists | undefined = listCache && {
    ...dependencies,
    liveLists,
    listCache,
    views: createViews(listCache),
    retainedViews: createRetainedViews(MAX_RETAINED_BYTES, listCache, clock),
    tokens: createPageTokens(dependencies.tokenKey),
  };
  const whole = { ...dependencies, liveLists, listAnswers, cached };
  const requireCache = () => {
    if (cached === undefined) throw notFresh('disabled');
    return cached;
  };
  return {
    /** A whole namespace, complete or an error. */
    list: (actor: Actor, namespace: NamespaceInScope, request: ListRequest, deadline: Deadline) =>
      listSecrets(whole, actor, { namespace, ...request }, deadline),
    /** A part of a namespace. */
    page: async (actor: Actor, namespace: NamespaceInScope, request: ListPageRequest, deadline: Deadline) =>
      listPage(requireCache(), actor, { namespace, ...request }, deadline),
    /** All namespaces. */
    search: async (actor: Actor, request: SearchRequest, deadline: Deadline) =>
      searchSecrets(requireCache(), actor, request, deadline),
    /** Likewise. */
    expiring: async (actor: Actor, withinMs: number, deadline: Deadline) =>
      expiringSecrets(requireCache(), actor, (clock.wallNow() + withinMs) / 1_000, deadline),
    /** Bytes at the moment. */
    figures: () => ({ answers: listAnswers.bytes(), retainedViews: cached?.retainedViews.bytes() ?? 0 }),
  };
}
