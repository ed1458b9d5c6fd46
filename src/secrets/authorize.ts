import type { Actor } from '../access/actor.ts';
import type { Access } from '../access/authorizer.ts';
import type { NamespaceInScope } from '../access/namespace-scope.ts';
import type { AccessLevel } from '../contract/access-rules.ts';
import type { Deadline } from '../timing/deadline.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { SecretRef, StoredSecret } from '../kube/secret.ts';
import type { SnapshotStore } from '../history/ports.ts';
import { claimsToBeHistory, type FinalMetadata } from '../history/history.ts';
import type { SecretsDependencies } from './ports.ts';

declare const authorized: unique symbol;

/** The levels that are certain where `Level` was required. */
export type UpTo<Level extends AccessLevel> = [Level] extends ['manage']
  ? AccessLevel
  : [Level] extends ['write' | 'manage']
    ? 'read' | 'write'
    : 'read';

/**
 * A live Secret that was just read and on which the actor has the levels. Only {@link authorizeSecret} makes one, so a use
 * case that takes it cannot be called without its checks, nor by a route of a lower level.
 */
export interface AuthorizedSecret<Levels extends AccessLevel = 'read'> {
  readonly actor: Actor;
  readonly live: StoredSecret;
  /** For what needs more than the level. */
  readonly access: Access;
  /** A parameter, so that a Secret with more levels is accepted where one of them is needed. */
  readonly [authorized]: (level: Levels) => void;
}

/** The name of a Secret in a namespace of the scope, and the level that is needed on it. */
export interface WantedSecret<Level extends AccessLevel> extends SecretRef {
  readonly namespace: NamespaceInScope;
  readonly level: Level;
}

/**
 * The checks of every route of a named Secret in scope, in order: live visibility, authorization.
 * @throws {ServiceError} `notFound`, `forbidden` or `policyUnavailable`
 */
export async function authorizeSecret<Level extends AccessLevel>(
  { store, authorizer, managedOnly }: SecretsDependencies,
  actor: Actor,
  { namespace, name, level }: WantedSecret<Level>,
  deadline: Deadline,
): Promise<AuthorizedSecret<UpTo<Level>>> {
  const live = await store.read({ namespace, name }, deadline);
  if (live === undefined) throw secretNotFound('absent');
  if (claimsToBeHistory(live)) throw secretNotFound('historyObject');
  if (managedOnly && !live.managed.isManaged) throw secretNotFound('unmanaged');
  const access = authorizer.accessTo(actor, namespace, live.managed, name);
  return { actor: await access.require(level, deadline), live, access } as AuthorizedSecret<UpTo<Level>>;
}

/** The same error for everything that is not visible, so that it does not reveal what exists. */
function secretNotFound(reason: string): ServiceError {
  return new ServiceError('notFound', 'Secret not found', { reason });
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

/**
 * The checks of every route of a deleted Secret in scope, in order: existence, authorization.
 * @throws {ServiceError} `notFound`, `forbidden`, `policyUnavailable` or `historyUnavailable`
 */
export async function authorizeDeleted(
  { history, authorizer }: SecretsDependencies,
  actor: Actor,
  { namespace, uid }: Pick<AuthorizedDeleted, 'namespace'> & { readonly uid: string },
  deadline: Deadline,
): Promise<AuthorizedDeleted> {
  const final = await history.final.find({ namespace, uid }, deadline);
  if (final === undefined) throw deletedNotFound('noFinalSnapshot');
  const access = authorizer.accessTo(actor, namespace, final.stored.managed, final.of);
  return { actor: await access.require('manage', deadline), namespace, final } as AuthorizedDeleted;
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
