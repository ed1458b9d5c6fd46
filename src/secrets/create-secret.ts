import type { Actor } from '../access/actor.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { NamespaceInScope } from '../access/namespace-scope.ts';
import type { Deadline } from '../timing/deadline.ts';
import { isServiceError, ServiceError } from '../errors/service-error.ts';
import type { AnnotationCodec } from '../kube/annotation-codec.ts';
import type { SnapshotStore } from '../history/ports.ts';
import { encodeWithinBudget } from './budgets.ts';
import { gathered, runChecks, type Check } from './checks.ts';
import { checkCreate, type CreateRequest, type NewSecret } from './input.ts';
import { describedOf, type DescribedSecret } from './secret-view.ts';
import { managedAnnotations } from './managed-annotations.ts';
import {
  annotationsFitBudget,
  bootstrapTokenIsByAdmin,
  dataFitsType,
  isNoServiceAccountToken,
  secretFitsStore,
  typeFitsHistory,
  type WriteFacts,
} from './write-checks.ts';

export interface CreateDependencies {
  readonly store: Pick<SnapshotStore, 'create'>;
  readonly authorizer: Authorizer;
  readonly codec: Pick<AnnotationCodec, 'edited'>;
  readonly now: () => Date;
}

export interface CreateCommand {
  readonly actor: Actor;
  readonly namespace: NamespaceInScope;
  /** Parses the body. Not called before the access check, so that an actor without access learns nothing about it. */
  readonly request: () => CreateRequest;
}

interface CreateFacts extends WriteFacts {
  readonly mayCreate: () => Promise<void>;
  readonly parse: () => void;
  readonly secret: () => NewSecret;
}

/** The checks of a creation, in the order of their errors. */
export const CREATE_CHECKS: readonly Check<CreateFacts>[] = [
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
  { store, authorizer, codec, now }: CreateDependencies,
  { actor, namespace, request }: CreateCommand,
  deadline: Deadline,
): Promise<DescribedSecret> {
  const parse = gathered(request);
  const secret = gathered(() => checkCreate(parse()));
  const data = gathered(() => encodeWithinBudget(secret().values.texts, secret().values.binary));
  const annotations = gathered(() =>
    managedAnnotations(new Map(), secret(), { actor, now: now(), version: 1 }, codec),
  );
  await runChecks(CREATE_CHECKS, {
    ...{ actor, namespace, parse, secret, data, annotations },
    type: () => secret().type,
    mayCreate: () => authorizer.accessWithin(actor, namespace).require('write', deadline),
  });
  const { name, type } = secret();
  const draft = { namespace, name, type, data: data(), labels: new Map(), annotations: annotations() };
  return describedOf(await store.create(draft, deadline).catch(rethrowCreateFailure), now());
}

/** @throws {ServiceError} `forbidden` or `policyUnavailable` */
function actorMayCreate({ mayCreate }: CreateFacts): Promise<void> {
  return mayCreate();
}

/** @throws {ServiceError} `invalidRequest`, naming the field and its type */
function bodyHasItsShape({ parse }: CreateFacts): void {
  parse();
}

/** @throws {ServiceError} `invalidRequest`, naming the field and the rule */
function requestIsValid({ secret }: CreateFacts): void {
  secret();
}

/** @throws {ServiceError} `tooLarge` */
async function dataFitsBudget({ data }: CreateFacts): Promise<void> {
  await data();
}

/** Translates what a failed creation means to the client. */
export function rethrowCreateFailure(error: unknown): never {
  throw translated(error);
}

function translated(error: unknown): unknown {
  if (isServiceError(error, 'exists')) {
    return new ServiceError('exists', 'A Secret with this name exists already', { cause: error });
  }
  if (isServiceError(error, 'notFound')) {
    return new ServiceError('notFound', 'Namespace not found', { reason: 'namespaceAbsent', cause: error });
  }
  return error;
}
