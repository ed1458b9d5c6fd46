import type { Actor } from '../access/actor.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { Deadline } from '../timing/deadline.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { SecretRef, StoredSecret } from '../kube/secret.ts';
import type { SnapshotStore } from '../history/ports.ts';
import { claimsToBeHistory } from '../history/history.ts';

declare const authorized: unique symbol;

/**
 * A live Secret, just read, that the actor may work on. Only {@link authorizeSecret} makes one, so a use
 * case that takes it cannot be reached without the two checks.
 */
export interface AuthorizedSecret {
  readonly actor: Actor;
  readonly live: StoredSecret;
  readonly [authorized]: true;
}

export interface AuthorizeDependencies {
  readonly store: Pick<SnapshotStore, 'read'>;
  readonly authorizer: Authorizer;
  readonly managedOnly: boolean;
}

/**
 * The order of checks of every named-secret route: scope, live visibility, then authorization.
 * @throws {ServiceError} `forbidden` (scope), `notFound`, `forbidden` or `policyUnavailable`
 */
export async function authorizeSecret(
  { store, authorizer, managedOnly }: AuthorizeDependencies,
  actor: Actor,
  ref: SecretRef,
  deadline: Deadline,
): Promise<AuthorizedSecret> {
  authorizer.requireScope(ref.namespace);
  const live = await store.read(ref, deadline);
  if (live === undefined) throw secretNotFound('absent');
  if (claimsToBeHistory(live)) throw secretNotFound('historyObject');
  if (managedOnly && !live.managed.isManaged) throw secretNotFound('unmanaged');
  await authorizer.requireAccess(actor, ref.namespace, live.managed, deadline);
  return { actor, live } as AuthorizedSecret;
}

/** One answer for everything that is not visible, so that it does not tell what is there. */
function secretNotFound(reason: string): ServiceError {
  return new ServiceError('notFound', 'Secret not found', { reason });
}
