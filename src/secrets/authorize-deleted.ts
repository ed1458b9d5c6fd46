import type { Actor } from '../access/actor.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { NamespaceInScope } from '../access/namespace-scope.ts';
import type { Deadline } from '../timing/deadline.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { FinalMetadata, History } from '../history/history.ts';
import type { SnapshotStore } from '../history/ports.ts';

declare const authorized: unique symbol;

/** Where a deleted Secret was, and the UID that it had. */
export interface DeletedRef {
  readonly namespace: NamespaceInScope;
  readonly uid: string;
}

/**
 * The final snapshot of a Secret, just found, whose access rules let the actor manage it. Only {@link authorizeDeleted}
 * makes one. Whether the live Secret is gone is checked by the use cases, before each write.
 */
export interface AuthorizedDeleted {
  readonly actor: Actor;
  readonly namespace: NamespaceInScope;
  readonly final: FinalMetadata;
  readonly [authorized]: true;
}

export interface AuthorizeDeletedDependencies {
  readonly history: Pick<History, 'final'>;
  readonly authorizer: Authorizer;
}

/**
 * The checks of every route of a deleted Secret in scope, in order: existence, authorization.
 * @throws {ServiceError} `notFound`, `forbidden`, `policyUnavailable` or `historyUnavailable`
 */
export async function authorizeDeleted(
  { history, authorizer }: AuthorizeDeletedDependencies,
  actor: Actor,
  { namespace, uid }: DeletedRef,
  deadline: Deadline,
): Promise<AuthorizedDeleted> {
  const final = await history.final.find({ namespace, uid }, deadline);
  if (final === undefined) throw deletedNotFound('noFinalSnapshot');
  await authorizer.accessTo(actor, namespace, final.stored.managed).require('manage', deadline);
  return { actor, namespace, final } as AuthorizedDeleted;
}

/**
 * Confirms that the live Secret of a final snapshot no longer exists: a deletion may have failed after its archive.
 * @throws {ServiceError} `conflict`
 */
export async function requireLiveGone(
  store: Pick<SnapshotStore, 'read'>,
  { of: name, uid, stored: { namespace } }: FinalMetadata,
  deadline: Deadline,
): Promise<void> {
  const live = await store.read({ namespace, name }, deadline);
  if (live?.uid !== uid) return;
  throw new ServiceError('conflict', 'This Secret still exists; delete it first', { reason: 'liveExists' });
}

/** One answer for what does not exist and what is not final. */
export function deletedNotFound(reason: string): ServiceError {
  return new ServiceError('notFound', 'Deleted Secret not found', { reason });
}
