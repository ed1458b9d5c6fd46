import type { Actor } from '../access/actor.ts';
import type { NamespaceInScope } from '../access/namespace-scope.ts';
import { COLLECTION_LIMITS } from '../kube/collect.ts';
import type { Deadline } from '../timing/deadline.ts';
import type { WholeLists } from './dependencies.ts';
import type { ListBody } from './list-body.ts';
import { cachedView, refused, type FreshView } from './fresh-view.ts';
import type { ListSource, LiveReason } from './list-cache.ts';
import { visibilityOf } from './matches.ts';

export interface SecretList {
  /** `{namespace, secrets: SecretSummary[], canCreate}` as JSON, ordered by name. */
  readonly body: ListBody;
  readonly from: ListSource;
}

export interface ListRequest {
  /** The client does not accept a response from a cache. */
  readonly live: boolean;
}

/**
 * The live Secrets of a namespace that the actor may see: from the cache if it is current, otherwise collected
 * completely or not at all. The policy is read after the Secrets and is never older than the newest of them. Otherwise
 * a Secret whose own rules were removed after the policy became stricter would be shown by the earlier, open policy.
 *
 * @throws {ServiceError} `listOverBudget`, `overloaded`, `listFailed`, `listInconsistent` or
 *   `policyUnavailable`
 */
export async function listSecrets(
  dependencies: WholeLists,
  actor: Actor,
  { namespace, live }: ListRequest & { readonly namespace: NamespaceInScope },
  deadline: Deadline,
): Promise<SecretList> {
  const { authorizer, managedOnly, listAnswers, liveLists, onList } = dependencies;
  const cached = await viewInMemory(dependencies, namespace, live, deadline);
  const from = typeof cached === 'string' ? ({ source: 'live', reason: cached } as const) : cached.from;
  onList(from);
  const view = typeof cached === 'string' ? await liveLists.join(namespace, deadline) : cached.view;
  const access = await authorizer.forList(actor, namespace, { live, newest: view.newest }, deadline);
  const { canCreate, key } = access;
  const isVisible = visibilityOf(access, managedOnly);
  return { body: await listAnswers.answer(view, { canCreate, key, isVisible }), from };
}

/**
 * The view of the cache, or why it is not used. A namespace that is known to be over budget is not even collected: that
 * would be expensive, and fail.
 */
async function viewInMemory(
  { cached, onList }: Pick<WholeLists, 'cached' | 'onList'>,
  namespace: string,
  live: boolean,
  deadline: Deadline,
): Promise<FreshView | LiveReason> {
  if (cached === undefined) return live ? 'noCache' : 'disabled';
  const state = await cached.listCache.state(namespace, deadline, live ? 0 : undefined);
  if (state === 'memory') throw refused(state, onList);
  if (typeof state === 'object' && state.count > COLLECTION_LIMITS.objects)
    throw refused('tooManyObjects', onList);
  if (live) return 'noCache';
  if (typeof state === 'string') return state;
  const current = await cachedView(cached, namespace, state);
  return current.view.bytes > COLLECTION_LIMITS.bytes ? 'overBudget' : current;
}
