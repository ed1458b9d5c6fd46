import type { Actor } from '../access/actor.ts';
import type { NamespaceInScope } from '../access/namespace-scope.ts';
import type { Deadline } from '../timing/deadline.ts';
import {
  notFresh,
  wholeView,
  type CachedLists,
  type ListParts,
  type ListsDependencies,
} from './fresh-view.ts';
import { ListAnswers } from './list-answers.ts';
import type { SecretList } from './list-body.ts';
import { listPage, type ListPageRequest } from './list-page.ts';
import { createLiveLists } from './live-lists.ts';
import { visibilityOf } from './matches.ts';
import { createPageTokens } from './page-token.ts';
import { expiringSecrets, searchSecrets, type SearchRequest } from './search-secrets.ts';
import { createRetainedViews, createViews } from './views.ts';

/** Serialized lists kept for repeated requests. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** What is retained for further pages. */
const MAX_RETAINED_BYTES = 32 * 1024 * 1024;

/** Lists of the live Secrets that someone may see, without values. */
export type Lists = ReturnType<typeof createLists>;

export function createLists(dependencies: ListsDependencies) {
  const { authorizer, managedOnly, listCache, compress, clock } = dependencies;
  const lists: ListParts = {
    ...dependencies,
    liveLists: createLiveLists(dependencies),
    listAnswers: new ListAnswers(MAX_ANSWER_BYTES, compress),
    views: createViews(listCache),
    retainedViews: createRetainedViews(MAX_RETAINED_BYTES, listCache, clock),
    tokens: createPageTokens(dependencies.tokenKey),
  };
  const cached = listCache && { ...lists, listCache };
  const requireCache = (): CachedLists => {
    if (cached === undefined) throw notFresh('disabled');
    return cached;
  };
  return {
    /**
     * The live Secrets of a namespace that the actor may see: from the cache if it is current, otherwise collected
     * completely or not at all. The policy is read after the Secrets and is never older than the newest of them. Otherwise
     * a Secret whose own rules were removed after the policy became stricter would be shown by the earlier, open policy.
     *
     * @throws {ServiceError} `listOverBudget`, `overloaded`, `listFailed`, `listInconsistent` or `policyUnavailable`
     */
    async list(
      actor: Actor,
      namespace: NamespaceInScope,
      { live }: { readonly live: boolean },
      deadline: Deadline,
    ): Promise<SecretList> {
      const { view, from } = await wholeView(lists, namespace, live, deadline);
      const access = await authorizer.forList(actor, namespace, { live, newest: view.newest }, deadline);
      const visibility = { ...access, isVisible: visibilityOf(access, managedOnly) };
      return { body: await lists.listAnswers.answer(view, visibility), from };
    },
    /** A part of a namespace. */
    page: async (actor: Actor, namespace: NamespaceInScope, request: ListPageRequest, deadline: Deadline) =>
      listPage(lists, actor, { namespace, ...request }, deadline),
    /** Searches all namespaces. */
    search: async (actor: Actor, request: SearchRequest, deadline: Deadline) =>
      searchSecrets(requireCache(), actor, request, deadline),
    /** What expires in all namespaces. */
    expiring: async (actor: Actor, withinMs: number, deadline: Deadline) =>
      expiringSecrets(requireCache(), actor, (clock.wallNow() + withinMs) / 1_000, deadline),
    /** Bytes at the moment. */
    figures: () => ({ answers: lists.listAnswers.bytes(), retainedViews: lists.retainedViews.bytes() }),
  };
}
