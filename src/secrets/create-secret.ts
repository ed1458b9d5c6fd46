import type { Actor } from '../access/actor.ts';
import type { NamespaceInScope } from '../access/namespace-scope.ts';
import type { Deadline } from '../timing/deadline.ts';
import { invalidRequest, isServiceError, ServiceError } from '../errors/service-error.ts';
import type { SecretsDependencies } from './ports.ts';
import { declaredExpiry, valuesChangedAt } from '../kube/expiry.ts';
import type { SecretDraft } from '../kube/secret.ts';
import { createEventLoopYielder } from '../timing/event-loop-yielder.ts';
import { checkCreate, type CreateRequest } from './input.ts';
import { describedOf, type DescribedSecret } from './secret-view.ts';
import { managedAnnotations } from './write-back.ts';
import {
  encodeWithinBudget,
  requireStorable,
  requireAdminForBootstrapToken,
  requireNoServiceAccountToken,
  requireTypeRule,
} from './write-checks.ts';
import { rulesOf } from '../contract/access-rules.ts';
import { newNameViolation } from '../contract/names.ts';
import { deletedNotFound, requireLiveGone, type AuthorizedDeleted } from './authorize.ts';

interface CreateCommand {
  readonly actor: Actor;
  readonly namespace: NamespaceInScope;
  /** Parses the body. Not called before the access check, so that an actor without access learns nothing about it. */
  readonly request: () => CreateRequest;
}

/**
 * Creates a live Secret at version 1. The checks are in the order of their errors; those of {@link createLive} come last.
 * @throws {ServiceError} `forbidden`, `policyUnavailable`, `invalidRequest`, and whatever {@link createLive} throws
 */
export async function createSecret(
  dependencies: SecretsDependencies,
  { actor, namespace, request }: CreateCommand,
  deadline: Deadline,
): Promise<DescribedSecret> {
  const { authorizer, codec, now } = dependencies;
  await authorizer.accessWithin(actor, namespace).require('write', deadline);
  const yielder = createEventLoopYielder();
  const parsed = request();
  await yielder.yieldIfDue();
  const { name, type, values, ...metadata } = checkCreate(parsed);
  await yielder.yieldIfDue();
  requireAdminForBootstrapToken(actor, { namespace, type });
  const data = encodeWithinBudget(values.texts, values.binary);
  await yielder.yieldIfDue();
  const annotations = managedAnnotations(new Map(), metadata, { actor, now: now(), version: 1 }, codec);
  return createLive(dependencies, { namespace, name, type, data, annotations }, deadline);
}

/** @throws {ServiceError} `tooLarge` or `invalidSecret`; `exists`, `notFound` (no such namespace), or a failure of the cluster */
async function createLive(
  { store, now }: SecretsDependencies,
  draft: Omit<SecretDraft, 'labels'>,
  deadline: Deadline,
): Promise<DescribedSecret> {
  requireStorable(draft);
  requireNoServiceAccountToken(draft.type);
  await requireTypeRule(draft.type, draft.data);
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

/**
 * Creates a new Secret at version 1 with the type, the bytes, the description, the access rules and the expiry of the final
 * snapshot; as after every restore, the values are as old as they were.
 * The snapshots stay, bound to the former UID. `request` parses the body, with another name than the former one; it is not
 * called before the access check.
 *
 * @throws {ServiceError} in this order: `forbidden` or `policyUnavailable`; `invalidRequest`; `conflict` when the Secret
 *   still exists; `notFound` or `historyUnavailable` from the history; whatever {@link createLive} throws
 */
export async function restoreDeleted(
  dependencies: SecretsDependencies,
  { actor, final, namespace }: AuthorizedDeleted,
  request: () => { readonly name?: string | undefined },
  deadline: Deadline,
): Promise<DescribedSecret> {
  const { store, history, authorizer, codec, now } = dependencies;
  const { type } = final;
  await authorizer.accessWithin(actor, namespace).require('write', deadline);
  const name = request().name ?? final.of;
  const violation = newNameViolation(name);
  if (violation !== undefined) throw invalidRequest(`name ${violation}`);
  requireAdminForBootstrapToken(actor, { namespace, type });
  await requireLiveGone(store, final, deadline);
  const snapshot = await history.final.read(final, deadline);
  if (snapshot === undefined) throw deletedNotFound('finalSnapshotGone');
  const { stored } = snapshot;
  const { description } = stored.managed;
  const metadata = {
    description: description === '' ? undefined : description,
    ...rulesOf(stored.managed),
    ...declaredExpiry(stored),
  };
  const modification = { actor, now: now(), version: 1, valuesChangedAt: valuesChangedAt(stored) };
  const annotations = managedAnnotations(new Map(), metadata, modification, codec);
  return createLive(dependencies, { namespace, name, type, data: stored.data, annotations }, deadline);
}
