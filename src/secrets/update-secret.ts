import type { Deadline } from '../timing/deadline.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { SecretData, StoredSecret } from '../kube/secret.ts';
import { sameData } from '../history/history.ts';
import { createEventLoopYielder } from '../timing/event-loop-yielder.ts';
import { requireBootstrapTokenRight } from './bootstrap-tokens.ts';
import {
  encodeWithinBudget,
  requireAnnotationBudget,
  requireStoredBudget,
  requireTypeBudget,
} from './budgets.ts';
import { checkUpdate, type UpdateRequest } from './input.ts';
import type { AuthorizedSecret } from './authorize.ts';
import { requireCurrentRevision } from './revision.ts';
import { binaryKeysOf, detailOf, type SecretDetail } from './secret-view.ts';
import { refuseServiceAccountToken, requireTypeRules } from './types.ts';
import {
  planWrite,
  requireNextVersion,
  requireRecoveryRight,
  writeBack,
  type WriteBackDependencies,
} from './write-back.ts';

/**
 * Updates a live Secret. All checks, in the order of their answers, come before the first write.
 * @throws {ServiceError} `invalidRequest`, `forbidden` (recovery, bootstrap tokens), `tooLarge`, `staleRevision`, `invalidSecret`,
 *   and whatever {@link writeBack} throws
 */
export async function updateSecret(
  dependencies: WriteBackDependencies,
  authorized: AuthorizedSecret,
  request: UpdateRequest,
  deadline: Deadline,
): Promise<SecretDetail> {
  const { actor, live } = authorized;
  const yielder = createEventLoopYielder();
  const { data: texts, ...metadata } = checkUpdate(request);
  await yielder.yieldIfDue();
  requireRecoveryRight(actor, request.recoverCounter);
  requireBootstrapTokenRight(actor, live);
  const data = texts && encodeWithinBudget(texts);
  requireCurrentRevision(live, request.resourceVersion);
  refuseServiceAccountToken(live.type);
  if (data !== undefined) {
    refuseTextOverBinary(live);
    requireMutable(live, data);
  }
  requireTypeRules(live.type, data ?? live.data);
  const plan = await planWrite(
    dependencies,
    authorized,
    { metadata, data, recoverCounter: request.recoverCounter },
    deadline,
  );
  requireNextVersion(plan);
  requireAnnotationBudget(plan.annotations);
  requireStoredBudget(data ?? live.data, plan.annotations);
  requireTypeBudget(live.type);
  return detailOf(await writeBack(dependencies, authorized, plan, deadline));
}

/** A client that shows text only would otherwise drop or change the binary values that it cannot send. */
function refuseTextOverBinary(live: StoredSecret): void {
  if (binaryKeysOf(live.data).length === 0) return;
  throw new ServiceError('invalidSecret', 'data of a Secret with binary values cannot be replaced by text', {
    reason: 'binaryValues',
  });
}

/** @throws {ServiceError} `invalidSecret` when an immutable Secret would get other values */
export function requireMutable(live: StoredSecret, data: SecretData): void {
  if (!live.immutable || sameData(live.data, data)) return;
  throw new ServiceError('invalidSecret', 'data of an immutable Secret cannot be changed', {
    reason: 'immutable',
  });
}
