import type { Actor } from '../access/actor.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { NamespaceInScope } from '../access/namespace-scope.ts';
import type { Deadline } from '../timing/deadline.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { SecretRef, StoredSecret } from '../kube/secret.ts';
import type { SnapshotStore } from '../history/ports.ts';
import { claimsToBeHistory } from '../history/history.ts';

declare const authorized: unique symbol;

/**
 * A live Secret that was just read and that the actor may access. Only {@link authorizeSecret} makes one, so a use case
 * that takes it cannot be called without its checks.
 */
export interface AuthorizedSecret {
  readonly actor: Actor;
  readonly live: StoredSecret;
  readonly [authorized]: true;
}

/** The name of a Secret in a namespace of the scope. */
export interface RefInScope extends SecretRef {
  readonly namespace: NamespaceInScope;
}

export interface AuthorizeDependencies {
  readonly store: Pick<SnapshotStore, 'read'>;
  readonly authorizer: Authorizer;
  readonly managedOnly: boolean;
}

/**
 * The checks of every route of a named Secret in scope, in order: live visibility, authorization.
 * @throws {ServiceError} `notFound`, `forbidden` or `policyUnavailable`
 */
export async function authorizeSecret(
  { store, authorizer, managedOnly }: AuthorizeDependencies,
  actor: Actor,
  ref: RefInScope,
  deadline: Deadline,
): Promise<AuthorizedSecret> {
  const live = await store.read(ref, deadline);
  if (live === undefined) throw secretNotFound('absent');
  if (claimsToBeHistory(live)) throw secretNotFound('historyObject');
  if (managedOnly && !live.managed.isManaged) throw secretNotFound('unmanaged');
  await authorizer.requireAccess(actor, ref.namespace, live.managed, deadline);
  return { actor, live } as AuthorizedSecret;
}

/** The same error for everything that is not visible, so that it does not reveal what exists. */
function secretNotFound(reason: string): ServiceError {
  return new ServiceError('notFound', 'Secret not found', { reason });
}
