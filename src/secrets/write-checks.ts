import type { Actor } from '../access/actor.ts';
import { ServiceError } from '../errors/service-error.ts';
import { sameData, snapshotCollision } from '../history/history.ts';
import type { SecretData, StoredSecret } from '../kube/secret.ts';
import { eventLoopTurns } from '../timing/event-loop-yielder.ts';
import {
  builtInName,
  isServiceAccountToken,
  SERVICE_ACCOUNT_TOKEN_RULE,
  typeRuleViolation,
  isBootstrapToken,
} from '../contract/secret-types.ts';

/** For a client whose revision is no longer the live one. */
export const RELOAD = 'This Secret was changed meanwhile; reload it and try again';

/** The only namespace from which the cluster reads bootstrap tokens. */
const BOOTSTRAP_NAMESPACE = 'kube-system';

/**
 * A bootstrap token is a credential for the cluster itself, to join a node for example, and writing such a Secret
 * creates one. Access rules and policies are not enough for that: only administrators write them.
 * @throws {ServiceError} `forbidden`
 */
export function requireAdminForBootstrapToken(
  { admin }: Actor,
  { namespace, type }: Pick<StoredSecret, 'namespace' | 'type'>,
): void {
  if (admin || namespace !== BOOTSTRAP_NAMESPACE || !isBootstrapToken(type)) return;
  throw new ServiceError('forbidden', `Only an admin may write bootstrap tokens in ${BOOTSTRAP_NAMESPACE}`, {
    reason: 'bootstrapTokenNeedsAdmin',
  });
}

/**
 * The service can delete service account tokens but never writes them.
 * @throws {ServiceError} `invalidSecret`
 */
export function requireNoServiceAccountToken(type: string): void {
  if (!isServiceAccountToken(type)) return;
  throw new ServiceError('invalidSecret', SERVICE_ACCOUNT_TOKEN_RULE, { reason: 'serviceAccountToken' });
}

/** @throws {ServiceError} `invalidSecret` when the data does not meet what its type requires */
export async function requireTypeRule(type: string, data: SecretData): Promise<void> {
  // A value of a mebibyte may have to be parsed: that is a slice of its own.
  await eventLoopTurns.next();
  const violation = typeRuleViolation(type, data);
  if (violation === undefined) return;
  throw new ServiceError(
    'invalidSecret',
    `data does not fit its type: ${builtInName(type) ?? ''} ${violation}`,
    { reason: 'typeRule' },
  );
}

/** @throws {ServiceError} `staleRevision` when the client's revision is not the live one */
export function requireCurrentRevision(live: StoredSecret, resourceVersion: string): void {
  if (live.resourceVersion !== resourceVersion) throw new ServiceError('staleRevision', RELOAD);
}

/** For writes with values: they may be archived already, as the last ones. @throws {ServiceError} `conflict` */
export function requireNotBeingDeleted({ deletionTimestamp }: StoredSecret): void {
  if (deletionTimestamp === undefined) return;
  throw new ServiceError(
    'conflict',
    'This Secret is being deleted: its description and access rules can be changed, its values cannot',
    { reason: 'beingDeleted' },
  );
}

/** @throws {ServiceError} `forbidden` */
export function requireAdminForRecovery({ admin }: Actor, recoverCounter: boolean): void {
  if (!recoverCounter || admin) return;
  throw new ServiceError('forbidden', 'Only an admin may recover the version counter', {
    reason: 'recoverCounterNeedsAdmin',
  });
}

/** @throws {ServiceError} `invalidSecret` when an immutable Secret would get other values */
export function requireSameIfImmutable(live: StoredSecret, data: SecretData): void {
  if (!live.immutable || sameData(live.data, data)) return;
  throw new ServiceError('invalidSecret', 'data of an immutable Secret cannot be changed', {
    reason: 'immutable',
  });
}

/** @throws {ServiceError} `snapshotCollision` when the counter cannot be raised any further */
export function requireNextVersion(version: number): void {
  if (!Number.isSafeInteger(version + 1)) throw snapshotCollision('counterExhausted');
}
