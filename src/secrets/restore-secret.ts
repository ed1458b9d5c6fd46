import type { Deadline } from '../timing/deadline.ts';
import { ServiceError } from '../errors/service-error.ts';
import { encodeWithinBudget } from './budgets.ts';
import { checkRestore, type RestoreRequest } from './input.ts';
import type { SecretData, StoredSecret } from '../kube/secret.ts';
import type { AuthorizedSecret } from './authorize.ts';
import { detailOf, type SecretDetail } from './secret-view.ts';
import { findSnapshot } from './versions.ts';
import type { SecretsDependencies } from './ports.ts';
import { planWrite, writeBack } from './write-back.ts';
import type { Snapshot } from '../history/history.ts';
import {
  requireAdminForBootstrapToken,
  requireAdminForRecovery,
  requireCurrentRevision,
  requireNoServiceAccountToken,
  requireNotBeingDeleted,
} from './write-checks.ts';

/**
 * Restores the bytes of an archived version, text and binary alike, as a new version. The checks are in the order of their
 * errors; those of {@link planWrite} come last.
 * @throws {ServiceError} the errors of the checks; `notFound` or `historyUnavailable` from the history; whatever
 *   {@link writeBack} throws
 */
export async function restoreSecret(
  dependencies: SecretsDependencies,
  authorized: AuthorizedSecret<'write'>,
  request: RestoreRequest,
  deadline: Deadline,
): Promise<SecretDetail> {
  const { actor, live } = authorized;
  const { version, resourceVersion, recoverCounter = false, keys, changeNote } = request;
  checkRestore(request);
  requireAdminForRecovery(actor, recoverCounter);
  requireAdminForBootstrapToken(actor, live);
  requireNotBeingDeleted(live);
  requireCurrentRevision(live, resourceVersion);
  requireNoServiceAccountToken(live.type);
  const snapshot = await findSnapshot(dependencies, live, version, deadline);
  requireFittingVersion(snapshot, live, request);
  // Values only: description, access rules, expiry, labels, type and immutability stay as they are.
  const write = {
    metadata: { description: undefined, changeNote },
    data: restoredData(live.data, snapshot.stored.data, keys),
    hasNewValues: false,
    recoverCounter,
    keepVersion: version,
  };
  const plan = await planWrite(dependencies, authorized, write, deadline);
  return detailOf(await writeBack(dependencies, authorized, plan, deadline), dependencies.now());
}

/**
 * All values after a restore: those of the version, or of the named keys only.
 * @throws {ServiceError} `tooLarge`
 */
function restoredData(
  live: SecretData,
  archived: SecretData,
  keys: readonly string[] | undefined,
): SecretData {
  if (keys === undefined) return archived;
  const data = new Map(live);
  for (const key of keys) {
    const value = archived.get(key);
    if (value === undefined) data.delete(key);
    else data.set(key, value);
  }
  return encodeWithinBudget(new Map(), data);
}

/**
 * @throws {ServiceError} `conflict` when the number archives another state than the client has seen; `invalidSecret` for
 *   another type, or a key that neither state has
 */
function requireFittingVersion(
  { sourceResourceVersion, type, stored }: Snapshot,
  live: StoredSecret,
  { sourceResourceVersion: listed, keys = [] }: RestoreRequest,
): void {
  if (listed !== undefined && listed !== sourceResourceVersion) {
    throw new ServiceError(
      'conflict',
      'This version is archived with another state than the one that was looked at; reload the versions',
      { reason: 'versionReplaced' },
    );
  }
  if (type !== live.type) {
    throw new ServiceError(
      'invalidSecret',
      'This version was archived under another type and cannot be restored',
      { reason: 'typeChanged' },
    );
  }
  if (keys.every((key) => live.data.has(key) || stored.data.has(key))) return;
  throw new ServiceError('invalidSecret', 'keys names a key that neither this version nor the Secret has', {
    reason: 'keyAbsent',
  });
}
