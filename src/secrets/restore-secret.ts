import type { Deadline } from '../timing/deadline.ts';
import { ServiceError } from '../errors/service-error.ts';
import { encodeWithinBudget } from './budgets.ts';
import { checkRestore, type RestoreRequest } from './input.ts';
import type { SecretData } from '../kube/secret.ts';
import type { AuthorizedSecret } from './authorize.ts';
import { detailOf, type SecretDetail } from './secret-view.ts';
import { findSnapshot } from './versions.ts';
import type { SecretsDependencies } from './ports.ts';
import { planWrite, writeBack } from './write-back.ts';
import {
  annotationsFitBudget,
  bootstrapTokenIsByAdmin,
  dataFitsBudget,
  dataFitsType,
  immutableDataIsUnchanged,
  isNoServiceAccountToken,
  recoveryIsByAdmin,
  revisionIsCurrent,
  secretFitsStore,
  typeFitsHistory,
  valuesAreNotBeingDeleted,
  versionCanGrow,
  type ChangeFacts,
  gathered,
  runChecks,
  type Check,
} from './write-checks.ts';

interface RestoreFacts extends ChangeFacts {
  readonly request: RestoreRequest;
  readonly snapshot: () => ReturnType<typeof findSnapshot>;
}

/** The checks of a restore, in the order of their errors. */
export const RESTORE_CHECKS: readonly Check<RestoreFacts>[] = [
  requestIsValid,
  recoveryIsByAdmin,
  bootstrapTokenIsByAdmin,
  valuesAreNotBeingDeleted,
  revisionIsCurrent,
  isNoServiceAccountToken,
  versionIsArchived,
  versionIsAsListed,
  versionHasSameType,
  namedKeysExist,
  dataFitsBudget,
  immutableDataIsUnchanged,
  dataFitsType,
  versionCanGrow,
  annotationsFitBudget,
  secretFitsStore,
  typeFitsHistory,
];

/**
 * Restores the bytes of an archived version, text and binary alike, as a new version.
 * @throws {ServiceError} the errors of {@link RESTORE_CHECKS}, and whatever {@link writeBack} throws
 */
export async function restoreSecret(
  dependencies: SecretsDependencies,
  authorized: AuthorizedSecret<'write'>,
  request: RestoreRequest,
  deadline: Deadline,
): Promise<SecretDetail> {
  const { actor, live } = authorized;
  const { namespace } = live;
  const { version, resourceVersion, recoverCounter, keys, changeNote } = request;
  const snapshot = gathered(() => findSnapshot(dependencies, live, version, deadline));
  const data = gathered(async () => restoredData(live.data, (await snapshot()).data, keys));
  const plan = gathered(async () => {
    // Values only: description, access rules, expiry, labels, type and immutability stay as they are.
    const write = {
      metadata: { description: undefined, changeNote },
      data: await data(),
      hasNewValues: false,
      recoverCounter,
      keepVersion: version,
    };
    return planWrite(dependencies, authorized, write, deadline);
  });
  await runChecks(RESTORE_CHECKS, {
    ...{ request, resourceVersion, recoverCounter, actor, namespace, live, snapshot, data, plan },
    hasData: () => true,
    type: () => live.type,
    annotations: async () => (await plan()).annotations,
  });
  const written = await writeBack(dependencies, authorized, await plan(), deadline);
  return detailOf(written, dependencies.now());
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

/** @throws {ServiceError} `invalidRequest` */
function requestIsValid({ request }: RestoreFacts): void {
  checkRestore(request);
}

/** @throws {ServiceError} `notFound`, and `historyUnavailable` when the history cannot be read */
async function versionIsArchived({ snapshot }: RestoreFacts): Promise<void> {
  await snapshot();
}

/** @throws {ServiceError} `conflict` when the number archives another state than the client has seen */
async function versionIsAsListed({
  snapshot,
  request: { sourceResourceVersion },
}: RestoreFacts): Promise<void> {
  const archived = (await snapshot()).sourceResourceVersion;
  if (sourceResourceVersion === undefined || sourceResourceVersion === archived) return;
  throw new ServiceError(
    'conflict',
    'This version is archived with another state than the one that was looked at; reload the versions',
    { reason: 'versionReplaced' },
  );
}

/** @throws {ServiceError} `invalidSecret` */
async function versionHasSameType({ live, snapshot }: RestoreFacts): Promise<void> {
  if ((await snapshot()).type === live.type) return;
  throw new ServiceError(
    'invalidSecret',
    'This version was archived under another type and cannot be restored',
    { reason: 'typeChanged' },
  );
}

/** @throws {ServiceError} `invalidSecret` */
async function namedKeysExist({ live, snapshot, request: { keys = [] } }: RestoreFacts): Promise<void> {
  const archived = (await snapshot()).data;
  if (keys.every((key) => live.data.has(key) || archived.has(key))) return;
  throw new ServiceError('invalidSecret', 'keys names a key that neither this version nor the Secret has', {
    reason: 'keyAbsent',
  });
}
