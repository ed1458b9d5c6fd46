import type { Actor } from '../access/actor.ts';
import type { NamespaceInScope } from '../access/namespace-scope.ts';
import { ServiceError } from '../errors/service-error.ts';
import { COLLECTION_LIMITS } from '../kube/collect.ts';
import type { Deadline } from '../timing/deadline.ts';
import { overBudget } from '../kube/read-pages.ts';
import type { WholeLists } from './dependencies.ts';
import type { ListBody } from './list-body.ts';
import type { KnownOverBudget, ListOutcome, ListSource, LiveReason } from './list-cache.ts';
import type { CurrentView } from './views.ts';
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
  const cached = await cachedView(dependencies, namespace, live, deadline);
  if (cached === 'tooManyObjects' || cached === 'memory') throw refused(cached, onList);
  const from: ListSource =
    typeof cached === 'string'
      ? { source: 'live', reason: cached }
      : { source: 'cache', ageMs: cached.ageMs };
  onList(from);
  const view = typeof cached === 'string' ? await liveLists.join(namespace, deadline) : cached.view;
  const access = await authorizer.forList(actor, namespace, { live, newest: view.newest }, deadline);
  const { canCreate, key } = access;
  const isVisible = visibilityOf(access, managedOnly);
  return { body: await listAnswers.answer(view, { canCreate, key, isVisible }), from };
}

/** Even without the cache a namespace that is known to be over budget is not collected: that would be expensive, and fail. */
async function cachedView(
  { cached }: Pick<WholeLists, 'cached'>,
  namespace: string,
  live: boolean,
  deadline: Deadline,
): Promise<CurrentView | LiveReason | KnownOverBudget> {
  if (live) return cached?.listCache.knownOverBudget(namespace) ?? 'noCache';
  if (cached === undefined) return 'disabled';
  const current = await cached.views.of(namespace, deadline, { most: COLLECTION_LIMITS.objects });
  const isLarge = typeof current === 'object' && current.view.bytes > COLLECTION_LIMITS.bytes;
  return isLarge ? 'overBudget' : current;
}

/** The error of a list that is not even collected. */
export function refused(reason: KnownOverBudget, onList: (outcome: ListOutcome) => void): ServiceError {
  onList({ source: 'refused', reason });
  if (reason === 'tooManyObjects') return overBudget('Secrets', 'objects');
  const message = 'The Secrets of this namespace take more memory than the service may use for them';
  return new ServiceError('listOverBudget', message, { reason: 'listOverBudget:memory' });
}
