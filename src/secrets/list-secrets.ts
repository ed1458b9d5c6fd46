import type { Actor } from '../access/actor.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { NamespaceInScope } from '../access/namespace-scope.ts';
import type { Deadline } from '../timing/deadline.ts';
import { overBudget } from '../kube/read-pages.ts';
import type { ListAnswers } from './list-answers.ts';
import type { ListBody } from './list-body.ts';
import type { CachedNamespace, KnownOverBudget, ListCache, LiveReason } from './list-cache.ts';
import type { LiveLists } from './live-lists.ts';

/** Where a list came from. The body is the same, byte for byte. */
export type ListSource =
  | { readonly source: 'cache'; readonly ageMs: number }
  | { readonly source: 'live'; readonly reason: LiveReason };

/** The outcome for metrics, including lists that are refused because the namespace is known to be over budget. */
export type ListOutcome = ListSource | { readonly source: 'refused'; readonly reason: KnownOverBudget };

export interface SecretList {
  /** `{namespace, secrets: SecretSummary[], canCreate}` as JSON, ordered by name. */
  readonly body: ListBody;
  readonly from: ListSource;
}

export interface ListDependencies {
  readonly authorizer: Authorizer;
  readonly managedOnly: boolean;
  /** If undefined, every list is live. */
  readonly listCache: ListCache | undefined;
  readonly listAnswers: ListAnswers;
  /** Called for every list as soon as its source is decided. A live list may fail after that. */
  readonly onList: (outcome: ListOutcome) => void;
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
  {
    authorizer,
    managedOnly,
    listCache,
    listAnswers,
    liveLists,
    onList,
  }: ListDependencies & {
    readonly liveLists: LiveLists;
  },
  actor: Actor,
  { namespace, live }: ListRequest & { readonly namespace: NamespaceInScope },
  deadline: Deadline,
): Promise<SecretList> {
  const cached = live ? withoutCache(listCache, namespace) : await listCache?.namespace(namespace, deadline);
  if (cached === 'tooManyObjects') {
    onList({ source: 'refused', reason: cached });
    throw overBudget('Secrets', 'objects');
  }
  const from = sourceOf(cached ?? 'disabled');
  onList(from);
  const list =
    typeof cached === 'object'
      ? { ...cached, answers: listAnswers }
      : await liveLists.join(namespace, deadline);
  const { items, newest, answers } = list;
  const access = await authorizer.forList(actor, namespace, { live, newest }, deadline);
  return { body: await answers.answer(namespace, items, { ...access, managedOnly }), from };
}

/** Even then a namespace that is known to be over budget is not collected: that would be expensive, and fail. */
function withoutCache(listCache: ListCache | undefined, namespace: string): LiveReason | KnownOverBudget {
  return listCache?.hasTooManyObjects(namespace) === true ? 'tooManyObjects' : 'noCache';
}

function sourceOf(cached: CachedNamespace | LiveReason): ListSource {
  if (typeof cached === 'string') return { source: 'live', reason: cached };
  return { source: 'cache', ageMs: cached.ageMs };
}
