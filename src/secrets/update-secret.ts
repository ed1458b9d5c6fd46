import type { Deadline } from '../timing/deadline.ts';
import type { Actor } from '../access/actor.ts';
import { ServiceError } from '../errors/service-error.ts';
import { createEventLoopYielder } from '../timing/event-loop-yielder.ts';
import { RULE_LISTS, type AccessRules, type RuleEdit } from '../contract/access-rules.ts';
import {
  checkRestore,
  checkUpdate,
  type RestoreRequest,
  type UpdateRequest,
  type ValueChange,
} from './input.ts';
import type { SecretData, StoredSecret } from '../kube/secret.ts';
import type { AuthorizedSecret } from './authorize.ts';
import { binaryKeysOf, detailOf, type SecretDetail } from './secret-view.ts';
import { findSnapshot } from './versions.ts';
import type { SecretsDependencies } from './ports.ts';
import type { Snapshot } from '../history/history.ts';
import { planWrite, writeBack } from './write-back.ts';
import {
  encodeWithinBudget,
  requireAdminForBootstrapToken,
  requireAdminForRecovery,
  requireCurrentRevision,
  requireNoServiceAccountToken,
  requireNotBeingDeleted,
} from './write-checks.ts';

/**
 * Updates a live Secret: replaces all values, or changes those of some keys. The checks are in the order of their errors,
 * and everything is gathered just before the first check that needs it; those of {@link planWrite} come last.
 * @throws {ServiceError} the errors of the checks, and whatever {@link writeBack} throws
 */
export async function updateSecret(
  dependencies: SecretsDependencies,
  authorized: AuthorizedSecret<'write'>,
  request: UpdateRequest & { readonly onActor?: (actor: Actor) => void },
  deadline: Deadline,
): Promise<SecretDetail> {
  const { live, access } = authorized;
  const { resourceVersion, recoverCounter = false } = request;
  const yielder = createEventLoopYielder();
  const { values, ...metadata } = checkUpdate(request);
  await yielder.yieldIfDue();
  // Another binding of a machine may give it than the one that lets it write.
  const actor = await access.require(levelOfUpdate(live.managed, metadata), deadline);
  request.onActor?.(actor);
  requireAdminForRecovery(actor, recoverCounter);
  requireAdminForBootstrapToken(actor, live);
  const data = dataAfter(live, values);
  await yielder.yieldIfDue();
  if (values !== undefined) requireNotBeingDeleted(live);
  requireCurrentRevision(live, resourceVersion);
  requireNoServiceAccountToken(live.type);
  if (values !== undefined) requireFittingChange(live, values);
  const write = { metadata, data, hasNewValues: values !== undefined, recoverCounter };
  const plan = await planWrite(dependencies, { ...authorized, actor }, write, deadline);
  return detailOf(await writeBack(dependencies, authorized, plan, deadline), dependencies.now());
}

/**
 * All values after a change; undefined if it keeps them.
 * @throws {ServiceError} `tooLarge`
 */
function dataAfter({ data }: StoredSecret, change: ValueChange | undefined): SecretData | undefined {
  if (change === undefined) return undefined;
  const { replacesAll, texts, binary, remove } = change;
  const bytes = new Map(replacesAll ? [] : data);
  for (const key of [...remove, ...texts.keys()]) bytes.delete(key);
  for (const [key, value] of binary) bytes.set(key, value);
  return encodeWithinBudget(texts, bytes);
}

/** The level that an update needs: rules are for whoever manages the Secret. Lists that stay as they are need less. */
export function levelOfUpdate(stored: AccessRules, edit: RuleEdit): 'write' | 'manage' {
  return RULE_LISTS.some((list) => isChanged(stored[list], edit[list])) ? 'manage' : 'write';
}

function isChanged(stored: readonly string[] = [], given: readonly string[] | undefined): boolean {
  if (given === undefined) return false;
  return given.length !== stored.length || given.some((entry, index) => entry.trim() !== stored[index]);
}

/** @throws {ServiceError} `invalidSecret` */
function requireFittingChange({ data }: StoredSecret, { replacesAll, remove }: ValueChange): void {
  // A client that shows text only would otherwise drop or change the binary values that it cannot send.
  if (replacesAll && binaryKeysOf(data).length > 0) {
    throw new ServiceError(
      'invalidSecret',
      'data of a Secret with binary values cannot be replaced by text',
      { reason: 'binaryValues' },
    );
  }
  if (remove.every((key) => data.has(key))) return;
  throw new ServiceError('invalidSecret', 'remove names a key that this Secret does not have', {
    reason: 'keyAbsent',
  });
}

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
function restoredData(live: SecretData, archived: SecretData, keys: readonly string[] | undefined) {
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
