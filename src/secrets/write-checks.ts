import type { Actor } from '../access/actor.ts';
import { ServiceError } from '../errors/service-error.ts';
import { sameData } from '../history/history.ts';
import type { SecretData, StoredSecret } from '../kube/secret.ts';
import { requireBootstrapTokenRight } from './bootstrap-tokens.ts';
import { requireAnnotationBudget, requireStoredBudget, requireTypeBudget } from './budgets.ts';
import { requireCurrentRevision } from './revision.ts';
import { refuseServiceAccountToken, requireTypeRules } from './types.ts';
import type { PlannedWrite } from './write-back.ts';

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

/** @throws {ServiceError} `forbidden` */
export function bootstrapTokenIsByAdmin({ actor, namespace, type }: WriteFacts): void {
  requireBootstrapTokenRight(actor, { namespace, type: type() });
}

/** @throws {ServiceError} `invalidSecret` */
export function isNoServiceAccountToken({ type }: WriteFacts): void {
  refuseServiceAccountToken(type());
}

/** @throws {ServiceError} `invalidSecret` */
export async function dataFitsType({ type, data }: WriteFacts): Promise<void> {
  requireTypeRules(type(), await data());
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

/** @throws {ServiceError} `staleRevision` */
export function revisionIsCurrent({ live, resourceVersion }: ChangeFacts): void {
  requireCurrentRevision(live, resourceVersion);
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
