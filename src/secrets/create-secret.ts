import type { Actor } from '../access/actor.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { Deadline } from '../timing/deadline.ts';
import { isServiceError, ServiceError } from '../errors/service-error.ts';
import type { AnnotationCodec } from '../kube/annotation-codec.ts';
import type { SnapshotStore } from '../history/ports.ts';
import { createEventLoopYielder } from '../timing/event-loop-yielder.ts';
import { requireBootstrapTokenRight } from './bootstrap-tokens.ts';
import {
  encodeWithinBudget,
  requireAnnotationBudget,
  requireStoredBudget,
  requireTypeBudget,
} from './budgets.ts';
import { checkCreate, type CreateRequest } from './input.ts';
import { summaryOf, type SecretSummary } from './secret-view.ts';
import { managedAnnotations } from './managed-annotations.ts';
import { refuseServiceAccountToken, requireTypeRules } from './types.ts';

export interface CreateDependencies {
  readonly store: Pick<SnapshotStore, 'create'>;
  readonly authorizer: Authorizer;
  readonly codec: Pick<AnnotationCodec, 'edited'>;
  readonly now: () => Date;
}

/**
 * Creates a live Secret at version 1. `request` is called only after the access check, so that an actor without access
 * learns nothing about the body.
 * @throws {ServiceError} `forbidden` (bootstrap tokens included), `policyUnavailable`, `invalidRequest`, `tooLarge`,
 *   `invalidSecret`, `exists`, `notFound` (no such namespace), or a failure of the cluster
 */
export async function createSecret(
  { store, authorizer, codec, now }: CreateDependencies,
  actor: Actor,
  { namespace, request }: { readonly namespace: string; readonly request: () => CreateRequest },
  deadline: Deadline,
): Promise<SecretSummary> {
  authorizer.requireScope(namespace);
  await authorizer.requireCreate(actor, namespace, deadline);
  const yielder = createEventLoopYielder();
  const sent = request();
  await yielder.yieldIfDue();
  const wanted = checkCreate(sent);
  await yielder.yieldIfDue();
  requireBootstrapTokenRight(actor, { namespace, type: wanted.type });
  const annotations = managedAnnotations(new Map(), wanted, { actor, now: now(), version: 1 }, codec);
  const data = encodeWithinBudget(wanted.data);
  requireAnnotationBudget(annotations);
  requireStoredBudget(data, annotations);
  requireTypeBudget(wanted.type);
  refuseServiceAccountToken(wanted.type);
  requireTypeRules(wanted.type, data);
  const { name, type } = wanted;
  try {
    return summaryOf(
      await store.create({ namespace, name, type, data, labels: new Map(), annotations }, deadline),
    );
  } catch (error) {
    throw translated(error);
  }
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
