import type { Deadline } from '../timing/deadline.ts';
import { ServiceError } from '../errors/service-error.ts';
import { gathered, runChecks, type Check } from './checks.ts';
import { requireRevision, requireSourceRevision, type RestoreRequest } from './input.ts';
import type { AuthorizedSecret } from './authorize.ts';
import { detailOf, type SecretDetail } from './secret-view.ts';
import { findSnapshot } from './versions.ts';
import { planWrite, writeBack, type WriteBackDependencies } from './write-back.ts';
import {
  annotationsFitBudget,
  bootstrapTokenIsByAdmin,
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
} from './write-checks.ts';

/** A restore changes values only. Description, access rules, labels, type and immutability stay as they are. */
const NO_METADATA = { description: undefined };

interface RestoreFacts extends ChangeFacts {
  readonly sourceResourceVersion: string | undefined;
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
  dependencies: WriteBackDependencies,
  authorized: AuthorizedSecret<'write'>,
  { version, ...request }: RestoreRequest,
  deadline: Deadline,
): Promise<SecretDetail> {
  const { actor, live } = authorized;
  const { namespace } = live;
  const snapshot = gathered(() => findSnapshot(dependencies, live, version, deadline));
  const data = async () => (await snapshot()).data;
  const plan = gathered(async () => {
    const { recoverCounter } = request;
    const write = { metadata: NO_METADATA, data: await data(), recoverCounter, keepVersion: version };
    return planWrite(dependencies, authorized, write, deadline);
  });
  await runChecks(RESTORE_CHECKS, {
    ...{ ...request, actor, namespace, live, snapshot, data, plan },
    hasData: () => true,
    type: () => live.type,
    annotations: async () => (await plan()).annotations,
  });
  const written = await writeBack(dependencies, authorized, await plan(), deadline);
  return detailOf(written, dependencies.now());
}

/** @throws {ServiceError} `invalidRequest` */
function requestIsValid({ resourceVersion, sourceResourceVersion }: RestoreFacts): void {
  requireRevision(resourceVersion);
  requireSourceRevision(sourceResourceVersion);
}

/** @throws {ServiceError} `notFound`, and `historyUnavailable` when the history cannot be read */
async function versionIsArchived({ snapshot }: RestoreFacts): Promise<void> {
  await snapshot();
}

/** @throws {ServiceError} `conflict` when the number archives another state than the client has seen */
async function versionIsAsListed({ snapshot, sourceResourceVersion }: RestoreFacts): Promise<void> {
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
