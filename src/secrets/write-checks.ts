import type { Actor } from '../access/actor.ts';
import { ServiceError } from '../errors/service-error.ts';
import { sameData } from '../history/history.ts';
import type { SecretData, StoredSecret } from '../kube/secret.ts';
import { requireAnnotationBudget, requireStoredBudget, requireTypeBudget } from './budgets.ts';
import { RELOAD, type PlannedWrite } from './write-back.ts';
import { createEventLoopYielder } from '../timing/event-loop-yielder.ts';
import {
  builtInName,
  isServiceAccountToken,
  SERVICE_ACCOUNT_TOKEN_RULE,
  typeRuleViolation,
  isBootstrapToken,
} from '../contract/secret-types.ts';

/** One check of a use case, named by what it requires. It changes nothing. @throws {ServiceError} when it is violated */
export type Check<Facts> = (facts: Facts) => void | Promise<void>;

/** Runs checks in their order, in slices; the first violation ends them. */
export async function runChecks<Facts>(checks: readonly Check<Facts>[], facts: Facts): Promise<void> {
  const yielder = createEventLoopYielder();
  for (const check of checks) {
    await check(facts);
    await yielder.yieldIfDue();
  }
}

/** A fact that is gathered when a check first needs it, so that no check is preceded by the work of a later one. */
export function gathered<Fact>(gather: () => Fact): () => Fact {
  let known: { readonly fact: Fact } | undefined;
  return () => (known ??= { fact: gather() }).fact;
}

/** The facts that the checks of create, update and restore share. */
export interface WriteFacts {
  readonly actor: Actor;
  readonly namespace: string;
  readonly type: () => string;
  /** All values after the write. */
  readonly data: () => SecretData | Promise<SecretData>;
  /** All annotations after the write. */
  readonly annotations: () => ReadonlyMap<string, string> | Promise<ReadonlyMap<string, string>>;
}

/** Further facts of update and restore. */
export interface ChangeFacts extends WriteFacts {
  readonly live: StoredSecret;
  /** The live revision that the client has seen. */
  readonly resourceVersion: string;
  readonly recoverCounter: boolean;
  /** Whether the request changes values, be it to the same ones. */
  readonly hasData: () => boolean;
  /** Reads the history if the counter is recovered. @throws {ServiceError} `historyUnavailable` or `snapshotCollision` */
  readonly plan: () => Promise<PlannedWrite>;
}

/** The only namespace from which the cluster reads bootstrap tokens. */
const BOOTSTRAP_NAMESPACE = 'kube-system';

/**
 * A bootstrap token is a credential for the cluster itself, to join a node for example, and writing such a Secret
 * creates one. Access rules and policies are not enough for that: only administrators write them.
 * @throws {ServiceError} `forbidden`
 */
export function bootstrapTokenIsByAdmin({
  actor: { admin },
  namespace,
  type,
}: Pick<WriteFacts, 'actor' | 'namespace' | 'type'>): void {
  if (admin || namespace !== BOOTSTRAP_NAMESPACE || !isBootstrapToken(type())) return;
  throw new ServiceError('forbidden', `Only an admin may write bootstrap tokens in ${BOOTSTRAP_NAMESPACE}`, {
    reason: 'bootstrapTokenNeedsAdmin',
  });
}

/**
 * The service can delete service account tokens but never writes them.
 * @throws {ServiceError} `invalidSecret`
 */
export function isNoServiceAccountToken({ type }: Pick<WriteFacts, 'type'>): void {
  if (!isServiceAccountToken(type())) return;
  throw new ServiceError('invalidSecret', SERVICE_ACCOUNT_TOKEN_RULE, { reason: 'serviceAccountToken' });
}

/** @throws {ServiceError} `invalidSecret` when the data does not meet what its type requires */
export async function dataFitsType({ type, data }: Pick<WriteFacts, 'type' | 'data'>): Promise<void> {
  const violation = typeRuleViolation(type(), await data());
  if (violation === undefined) return;
  throw new ServiceError(
    'invalidSecret',
    `data does not fit its type: ${builtInName(type()) ?? ''} ${violation}`,
    { reason: 'typeRule' },
  );
}

/** @throws {ServiceError} `tooLarge` when all values are over their limit, once they are encoded */
export async function dataFitsBudget({ data }: WriteFacts): Promise<void> {
  await data();
}

/** @throws {ServiceError} `tooLarge` */
export async function annotationsFitBudget({ annotations }: WriteFacts): Promise<void> {
  requireAnnotationBudget(await annotations());
}

/** @throws {ServiceError} `tooLarge` */
export async function secretFitsStore({ data, annotations }: WriteFacts): Promise<void> {
  requireStoredBudget(await data(), await annotations());
}

/** @throws {ServiceError} `tooLarge` */
export function typeFitsHistory({ type }: WriteFacts): void {
  requireTypeBudget(type());
}

/** @throws {ServiceError} `staleRevision` when the client's revision is not the live one */
export function revisionIsCurrent({
  live,
  resourceVersion,
}: Pick<ChangeFacts, 'live' | 'resourceVersion'>): void {
  if (live.resourceVersion !== resourceVersion) throw new ServiceError('staleRevision', RELOAD);
}

/** @throws {ServiceError} `conflict` when the write has values: they may be archived already, as the last ones */
export function valuesAreNotBeingDeleted({ live, hasData }: ChangeFacts): void {
  if (live.deletionTimestamp === undefined || !hasData()) return;
  throw new ServiceError(
    'conflict',
    'This Secret is being deleted: its description and access rules can be changed, its values cannot',
    { reason: 'beingDeleted' },
  );
}

/** @throws {ServiceError} `forbidden` */
export function recoveryIsByAdmin({ actor, recoverCounter }: ChangeFacts): void {
  if (!recoverCounter || actor.admin) return;
  throw new ServiceError('forbidden', 'Only an admin may recover the version counter', {
    reason: 'recoverCounterNeedsAdmin',
  });
}

/** @throws {ServiceError} `invalidSecret` when an immutable Secret would get other values */
export async function immutableDataIsUnchanged({ live, data }: ChangeFacts): Promise<void> {
  if (!live.immutable || sameData(live.data, await data())) return;
  throw new ServiceError('invalidSecret', 'data of an immutable Secret cannot be changed', {
    reason: 'immutable',
  });
}

/** @throws {ServiceError} `snapshotCollision` when the counter cannot be raised any further, and as `plan` */
export async function versionCanGrow({ plan }: ChangeFacts): Promise<void> {
  const { current } = await plan();
  if (Number.isSafeInteger(current + 1)) return;
  throw new ServiceError(
    'snapshotCollision',
    'The version counter cannot be raised any further. Nothing was changed. ' +
      'An admin must review the history and repeat the request with recoverCounter: true',
    { reason: 'counterExhausted' },
  );
}
