import type { Actor } from '../access/actor.ts';
import type { AccessGate } from '../access/gate.ts';
import type { Call } from '../calls/call.ts';
import { HISTORY_KIND, type AnnotationNames } from '../history/annotation-names.ts';
import { collectList } from '../history/collect.ts';
import type { SnapshotStore } from '../history/ports.ts';
import { liveAnswer, type ListAnswers } from './list-answers.ts';
import type { ListCache, LiveReason } from './list-cache.ts';
import { listItemOf, type ListItem } from './list-item.ts';

/** Where a list came from; the body is the same byte for byte either way. */
export type ListSource =
  | { readonly source: 'cache'; readonly ageMs: number }
  | { readonly source: 'live'; readonly reason: LiveReason };

export interface SecretList {
  /** `{namespace, secrets: SecretSummary[], canCreate}` as JSON, ordered by name. */
  readonly body: Buffer;
  readonly from: ListSource;
}

export interface ListDependencies {
  readonly store: Pick<SnapshotStore, 'listPage'>;
  readonly gate: AccessGate;
  readonly names: AnnotationNames;
  readonly managedOnly: boolean;
  /** Undefined serves every list live. */
  readonly listCache: ListCache | undefined;
  readonly listAnswers: ListAnswers;
  /** Told about every list that is answered. */
  readonly onList: (from: ListSource) => void;
}

export interface ListRequest {
  /** The client does not want an answer from a cache. */
  readonly live: boolean;
}

/**
 * The live Secrets of a namespace that the actor may see: from the cache when it vouches for the namespace,
 * otherwise collected completely or not at all.
 * @throws {ServiceError} `forbidden` (scope), `policyUnavailable`, `listFailed`, `listInconsistent` or `listOverBudget`
 */
export async function listSecrets(
  dependencies: ListDependencies,
  actor: Actor,
  namespace: string,
  { live }: ListRequest,
  call: Call,
): Promise<SecretList> {
  const { gate, managedOnly, listCache, listAnswers, onList } = dependencies;
  gate.requireScope(namespace);
  const access = await gate.forList(actor, namespace, call, { live });
  const visibility = { ...access, managedOnly };
  const cached = live ? 'asked' : ((await listCache?.namespace(namespace, call)) ?? 'disabled');
  if (typeof cached !== 'string') {
    const from = { source: 'cache', ageMs: cached.ageMs } as const;
    onList(from);
    return { body: listAnswers.answer(namespace, cached.items, visibility), from };
  }
  const items = await collectItems(dependencies, namespace, call);
  const from = { source: 'live', reason: cached } as const;
  onList(from);
  return { body: liveAnswer(namespace, items, visibility), from };
}

/**
 * All live Secrets of the namespace. The selector keeps snapshots out at the cluster; what an object says of
 * itself is checked here as well. What was seen here may not be unseen by a later answer from the cache.
 */
async function collectItems(
  { store, names, listCache }: ListDependencies,
  namespace: string,
  call: Call,
): Promise<readonly ListItem[]> {
  const since = listCache?.moment();
  const selector = `${names.kind}!=${HISTORY_KIND}`;
  const { items: objects, resourceVersion } = await collectList(store, namespace, selector, call);
  const items = objects.map((secret) => listItemOf(secret, names)).filter((item) => item !== undefined);
  if (since !== undefined) listCache?.sawList(namespace, { resourceVersion, items }, since);
  return items;
}
