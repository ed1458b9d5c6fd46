import type { Actor } from '../access/actor.ts';
import type { NamespaceInScope } from '../access/namespace-scope.ts';
import type { Deadline } from '../timing/deadline.ts';
import { isServiceError, ServiceError } from '../errors/service-error.ts';
import type { SecretsDependencies } from './ports.ts';
import { declaredExpiry, valuesChangedAt } from '../kube/expiry.ts';
import type { SecretDraft } from '../kube/secret.ts';
import { encodeWithinBudget } from './budgets.ts';
import { checkCreate, type CreateRequest, type MetadataEdit, type NewSecret } from './input.ts';
import { describedOf, type DescribedSecret } from './secret-view.ts';
import { managedAnnotations } from './write-back.ts';
import {
  annotationsFitBudget,
  bootstrapTokenIsByAdmin,
  dataFitsType,
  isNoServiceAccountToken,
  secretFitsStore,
  typeFitsHistory,
  type WriteFacts,
  gathered,
  runChecks,
  type Check,
  dataFitsBudget,
} from './write-checks.ts';
import { rulesOf } from '../contract/access-rules.ts';
import { newNameViolation } from '../contract/names.ts';
import type { FinalSnapshot } from '../history/history.ts';
import { deletedNotFound, requireLiveGone, type AuthorizedDeleted } from './authorize.ts';

interface CreateCommand {
  readonly actor: Actor;
  readonly namespace: NamespaceInScope;
  /** Parses the body. Not called before the access check, so that an actor without access learns nothing about it. */
  readonly request: () => CreateRequest;
}

interface CreationFacts extends WriteFacts {
  readonly mayCreate: () => Promise<unknown>;
}

interface CreateFacts extends CreationFacts {
  readonly parse: () => void;
  readonly secret: () => NewSecret;
}

/** The checks of a creation, in the order of their errors. */
const CREATE_CHECKS: readonly Check<CreateFacts>[] = [
  actorMayCreate,
  bodyHasItsShape,
  requestIsValid,
  bootstrapTokenIsByAdmin,
  dataFitsBudget,
  annotationsFitBudget,
  secretFitsStore,
  typeFitsHistory,
  isNoServiceAccountToken,
  dataFitsType,
];

/**
 * Creates a live Secret at version 1.
 * @throws {ServiceError} the errors of {@link CREATE_CHECKS}; `exists`, `notFound` (no such namespace), or a failure of
 *   the cluster
 */
export async function createSecret(
  dependencies: SecretsDependencies,
  { actor, namespace, request }: CreateCommand,
  deadline: Deadline,
): Promise<DescribedSecret> {
  const parse = gathered(request);
  const secret = gathered(() => checkCreate(parse()));
  const data = gathered(() => encodeWithinBudget(secret().values.texts, secret().values.binary));
  const annotations = gathered(() => newAnnotations(secret(), actor, dependencies));
  await runChecks(CREATE_CHECKS, {
    ...{ actor, namespace, parse, secret, data, annotations },
    type: () => secret().type,
    mayCreate: () => dependencies.authorizer.accessWithin(actor, namespace).require('write', deadline),
  });
  const { name, type } = secret();
  const draft = { namespace, name, type, data: data(), annotations: annotations() };
  return createLive(dependencies, draft, deadline);
}

function newAnnotations(
  metadata: MetadataEdit,
  actor: Actor,
  { codec, now }: SecretsDependencies,
  valuesChangedAt?: number,
): ReadonlyMap<string, string> {
  const modification = { actor, now: now(), version: 1, valuesChangedAt };
  return managedAnnotations(new Map(), metadata, modification, codec);
}

async function createLive(
  { store, now }: SecretsDependencies,
  draft: Omit<SecretDraft, 'labels'>,
  deadline: Deadline,
): Promise<DescribedSecret> {
  try {
    return describedOf(await store.create({ ...draft, labels: new Map() }, deadline), now());
  } catch (error) {
    if (isServiceError(error, 'exists')) {
      throw new ServiceError('exists', 'A Secret with this name exists already', { cause: error });
    }
    if (isServiceError(error, 'notFound')) {
      throw new ServiceError('notFound', 'Namespace not found', { reason: 'namespaceAbsent', cause: error });
    }
    throw error;
  }
}

/** @throws {ServiceError} `forbidden` or `policyUnavailable` */
async function actorMayCreate({ mayCreate }: CreationFacts): Promise<void> {
  await mayCreate();
}

/** @throws {ServiceError} `invalidRequest`, naming the field and its type */
function bodyHasItsShape({ parse }: CreateFacts): void {
  parse();
}

/** @throws {ServiceError} `invalidRequest`, naming the field and the rule */
function requestIsValid({ secret }: CreateFacts): void {
  secret();
}

export interface RestoreDeletedRequest {
  /** Undefined for the former one. */
  readonly name: string | undefined;
}

interface RestoreDeletedFacts extends CreationFacts {
  readonly name: () => string;
  readonly liveIsGone: () => Promise<void>;
  readonly snapshot: () => Promise<FinalSnapshot>;
}

/** The checks of a restore of a deleted Secret, in the order of their errors. */
const RESTORE_DELETED_CHECKS: readonly Check<RestoreDeletedFacts>[] = [
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
 * Creates a new Secret at version 1 with the type, the bytes, the description, the access rules and the expiry of the final
 * snapshot; as after every restore, the values are as old as they were.
 * The snapshots stay, bound to the former UID. `request` parses the body; it is not called before the access check.
 *
 * @throws {ServiceError} the errors of {@link RESTORE_DELETED_CHECKS}; `exists`, `notFound`, or a failure of the cluster
 */
export async function restoreDeleted(
  dependencies: SecretsDependencies,
  { actor, final, namespace }: AuthorizedDeleted,
  request: () => RestoreDeletedRequest,
  deadline: Deadline,
): Promise<DescribedSecret> {
  const { store, history, authorizer } = dependencies;
  const name = gathered(() => request().name ?? final.of);
  const snapshot = gathered(async () => {
    const found = await history.final.read(final, deadline);
    if (found === undefined) throw deletedNotFound('finalSnapshotGone');
    return found;
  });
  const data = async () => (await snapshot()).data;
  const annotations = gathered(async () => {
    const { stored } = await snapshot();
    return newAnnotations(metadataOf(stored), actor, dependencies, valuesChangedAt(stored));
  });
  await runChecks(RESTORE_DELETED_CHECKS, {
    ...{ actor, namespace, name, snapshot, data, annotations },
    type: () => final.type,
    mayCreate: () => authorizer.accessWithin(actor, namespace).require('write', deadline),
    liveIsGone: () => requireLiveGone(store, final, deadline),
  });
  const stored = { data: await data(), annotations: await annotations() };
  return createLive(dependencies, { namespace, name: name(), type: final.type, ...stored }, deadline);
}

function metadataOf(stored: FinalSnapshot['stored']): MetadataEdit {
  const { description } = stored.managed;
  const { expiresAt, rotateEvery } = declaredExpiry(stored);
  const expiry = { expiresAt, rotateEvery };
  return { description: description === '' ? undefined : description, ...rulesOf(stored.managed), ...expiry };
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
