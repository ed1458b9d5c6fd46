import type { Deadline } from '../timing/deadline.ts';
import { ServiceError } from '../errors/service-error.ts';
import { requireBootstrapTokenRight } from './bootstrap-tokens.ts';
import { requireAnnotationBudget, requireStoredBudget, requireTypeBudget } from './budgets.ts';
import { requireRevision, type RestoreRequest } from './input.ts';
import type { AuthorizedSecret } from './authorize.ts';
import { requireCurrentRevision } from './revision.ts';
import { detailOf, type SecretDetail } from './secret-view.ts';
import { refuseServiceAccountToken, requireTypeRules } from './types.ts';
import { requireMutable } from './update-secret.ts';
import { findSnapshot } from './versions.ts';
import {
  planWrite,
  requireNextVersion,
  requireRecoveryRight,
  writeBack,
  type WriteBackDependencies,
} from './write-back.ts';

/** A restore changes values only. Description, access rules, labels, type and immutability stay as they are. */
const NO_METADATA = { description: undefined, allowedGroups: undefined, allowedUsers: undefined };

/**
 * Restores the bytes of an archived version, text and binary alike, as a new version.
 * @throws {ServiceError} `invalidRequest`, `forbidden` (recovery, bootstrap tokens), `staleRevision`, `notFound` (no
 *   such version), `conflict` (another state has its number), `invalidSecret`, and whatever {@link writeBack} throws
 */
export async function restoreSecret(
  dependencies: WriteBackDependencies,
  authorized: AuthorizedSecret,
  { resourceVersion, version, sourceResourceVersion, recoverCounter }: RestoreRequest,
  deadline: Deadline,
): Promise<SecretDetail> {
  const { actor, live } = authorized;
  requireRevision(resourceVersion);
  requireRecoveryRight(actor, recoverCounter);
  requireBootstrapTokenRight(actor, live);
  requireCurrentRevision(live, resourceVersion);
  refuseServiceAccountToken(live.type);
  const { data, type, ...snapshot } = await findSnapshot(dependencies, live, version, deadline);
  if (sourceResourceVersion !== undefined && sourceResourceVersion !== snapshot.sourceResourceVersion) {
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
      {
        reason: 'typeChanged',
      },
    );
  }
  requireMutable(live, data);
  requireTypeRules(live.type, data);
  const plan = await planWrite(
    dependencies,
    authorized,
    { metadata: NO_METADATA, data, recoverCounter, keepVersion: version },
    deadline,
  );
  requireNextVersion(plan);
  requireAnnotationBudget(plan.annotations);
  requireStoredBudget(data, plan.annotations);
  requireTypeBudget(live.type);
  return detailOf(await writeBack(dependencies, authorized, plan, deadline));
}
