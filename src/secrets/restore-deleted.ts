import type { Actor } from '../access/actor.ts';
import type { Authorizer } from '../access/authorizer.ts';
import { rulesOf } from '../contract/access-rules.ts';
import { newNameViolation } from '../contract/names.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { FinalSnapshot, History } from '../history/history.ts';
import type { SnapshotStore } from '../history/ports.ts';
import type { AnnotationCodec } from '../kube/annotation-codec.ts';
import type { Deadline } from '../timing/deadline.ts';
import { deletedNotFound, requireLiveGone, type AuthorizedDeleted } from './authorize-deleted.ts';
import { gathered, runChecks, type Check } from './checks.ts';
import { rethrowCreateFailure } from './create-secret.ts';
import { managedAnnotations } from './managed-annotations.ts';
import { describedOf, type DescribedSecret } from './secret-view.ts';
import {
  annotationsFitBudget,
  bootstrapTokenIsByAdmin,
  dataFitsType,
  isNoServiceAccountToken,
  secretFitsStore,
  typeFitsHistory,
  type WriteFacts,
} from './write-checks.ts';

export interface RestoreDeletedRequest {
  /** Undefined for the former one. */
  readonly name: string | undefined;
}

export interface RestoreDeletedDependencies {
  readonly store: Pick<SnapshotStore, 'read' | 'create'>;
  readonly history: Pick<History, 'final'>;
  readonly authorizer: Authorizer;
  readonly codec: Pick<AnnotationCodec, 'edited'>;
  readonly now: () => Date;
}

interface RestoreDeletedFacts extends WriteFacts {
  readonly mayCreate: () => Promise<void>;
  readonly name: () => string;
  readonly liveIsGone: () => Promise<void>;
  readonly snapshot: () => Promise<FinalSnapshot>;
}

/** The checks of a restore of a deleted Secret, in the order of their errors. */
export const RESTORE_DELETED_CHECKS: readonly Check<RestoreDeletedFacts>[] = [
  actorMayCreate,
  nameIsValid,
  bootstrapTokenIsByAdmin,
  secretNoLongerExists,
  snapshotIsThere,
  annotationsFitBudget,
  secretFitsStore,
  typeFitsHistory,
  isNoServiceAccountToken,
  dataFitsType,
];

/**
 * Creates a new Secret at version 1 with the type, the bytes, the description and the access rules of the final snapshot.
 * The snapshots stay, bound to the former UID. `request` parses the body; it is not called before the access check.
 *
 * @throws {ServiceError} the errors of {@link RESTORE_DELETED_CHECKS}; `exists`, `notFound`, or a failure of the cluster
 */
export async function restoreDeleted(
  { store, history, authorizer, codec, now }: RestoreDeletedDependencies,
  { actor, final, namespace }: AuthorizedDeleted,
  request: () => RestoreDeletedRequest,
  deadline: Deadline,
): Promise<DescribedSecret> {
  const name = gathered(() => request().name ?? final.of);
  const snapshot = gathered(() => readFinal({ history }, final, deadline));
  const data = async () => (await snapshot()).data;
  const annotations = gathered(async () => newAnnotations(await snapshot(), { actor, now: now() }, codec));
  await runChecks(RESTORE_DELETED_CHECKS, {
    ...{ actor, namespace, name, snapshot, data, annotations },
    type: () => final.type,
    mayCreate: () => authorizer.accessWithin(actor, namespace).require('write', deadline),
    liveIsGone: () => requireLiveGone(store, final, deadline),
  });
  const draft = {
    ...{ namespace, name: name(), type: final.type, data: await data() },
    ...{ labels: new Map<string, string>(), annotations: await annotations() },
  };
  return describedOf(await store.create(draft, deadline).catch(rethrowCreateFailure), now());
}

async function readFinal(
  { history }: Pick<RestoreDeletedDependencies, 'history'>,
  final: AuthorizedDeleted['final'],
  deadline: Deadline,
): Promise<FinalSnapshot> {
  const snapshot = await history.final.read(final, deadline);
  if (snapshot === undefined) throw deletedNotFound('finalSnapshotGone');
  return snapshot;
}

function newAnnotations(
  { stored }: FinalSnapshot,
  by: { readonly actor: Actor; readonly now: Date },
  codec: Pick<AnnotationCodec, 'edited'>,
): ReadonlyMap<string, string> {
  const { description, ...managed } = stored.managed;
  const metadata = { description: description === '' ? undefined : description, ...rulesOf(managed) };
  return managedAnnotations(new Map(), metadata, { ...by, version: 1 }, codec);
}

/** @throws {ServiceError} `forbidden` or `policyUnavailable` */
function actorMayCreate({ mayCreate }: RestoreDeletedFacts): Promise<void> {
  return mayCreate();
}

/** @throws {ServiceError} `invalidRequest` */
function nameIsValid({ name }: RestoreDeletedFacts): void {
  const violation = newNameViolation(name());
  if (violation !== undefined) throw new ServiceError('invalidRequest', `name ${violation}`);
}

/** @throws {ServiceError} `conflict` */
function secretNoLongerExists({ liveIsGone }: RestoreDeletedFacts): Promise<void> {
  return liveIsGone();
}

/** @throws {ServiceError} `notFound` or `historyUnavailable` */
async function snapshotIsThere({ snapshot }: RestoreDeletedFacts): Promise<void> {
  await snapshot();
}
