import { withMeta, type ApiObject } from '../api/object.ts';
import { type ApiRequest } from '../api/request.ts';
import { alreadyExists, ApiError, badRequest, forbidden, invalid, notFound } from '../api/status.ts';
import { formOf, presented } from '../api/form.ts';
import { jsonResponse, type ApiResponse } from '../http/api-response.ts';
import { kindSubject, resourceSubject, type Kind } from '../kinds/kind.ts';
import { isTerminating, NAMESPACE } from '../kinds/namespace.ts';
import { wholeSeconds } from '../kinds/times.ts';
import { withManagedFields } from '../managed-fields/managed-fields.ts';
import { validateMetadata } from '../validation/metadata.ts';
import { type ResourceContext } from './context.ts';
import { incomingObject } from './incoming.ts';
import { writeOptionsOf, type WriteOptions } from './options.ts';

/** POST on a collection. */
export function create(context: ResourceContext, kind: Kind, request: ApiRequest): ApiResponse {
  const { draft, headers } = incomingObject(kind, request);
  const { namespace } = request.info;
  const home = draft.metadata.namespace ?? '';
  if (kind.namespaced && home !== '' && home !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  const stored = createObject(context, { kind, namespace, draft }, writeOptionsOf(request));
  return jsonResponse(201, presented(kind, stored, formOf(request.headers.accept, false)), headers);
}

interface NewObject {
  readonly kind: Kind;
  readonly namespace: string;
  readonly draft: ApiObject;
}

/** Everything that the cluster does to a new object, from its system fields to the store. */
export function createObject(
  context: ResourceContext,
  { kind, namespace, draft }: NewObject,
  { dryRun, manager, applies }: WriteOptions,
): ApiObject {
  if (kind.namespaced) requireNamespace(context, kind, namespace, draft.metadata.name);
  const named = withSystemFields(context, kind, namespace, draft);
  const prepared = kind.prepare?.(named, undefined) ?? named;
  const { name } = prepared.metadata;
  const errors = [...validateMetadata(kind, prepared), ...(kind.validate?.(prepared, undefined) ?? [])];
  if (errors.length > 0) throw invalid(kindSubject(kind, name), errors);
  if (draft.metadata.resourceVersion !== '') {
    throw new ApiError(500, '', 'resourceVersion should not be set on objects to be created');
  }
  if (context.store.get(kind, namespace, name) !== undefined)
    throw alreadyExists(resourceSubject(kind, name));
  const owned = withManagedFields(kind, prepared, undefined, {
    manager,
    applies,
    time: wholeSeconds(context.now()),
  });
  if (dryRun) return withMeta(owned, { resourceVersion: undefined });
  return context.store.put(kind, owned);
}

function requireNamespace({ store }: ResourceContext, kind: Kind, namespace: string, name: string): void {
  const found = store.get(NAMESPACE, '', namespace);
  if (found === undefined) throw notFound(resourceSubject(NAMESPACE, namespace));
  if (!isTerminating(found)) return;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  throw forbidden(resourceSubject(kind, name), why, [
    {
      reason: 'NamespaceTerminating',
      message: `namespace ${namespace} is being terminated`,
      field: 'metadata.namespace',
    },
  ]);
}

function withSystemFields(
  context: ResourceContext,
  kind: Kind,
  namespace: string,
  draft: ApiObject,
): ApiObject {
  const { name, generateName = '' } = draft.metadata;
  return withMeta(draft, {
    name: name === '' && generateName !== '' ? generateName + context.nameSuffix() : name,
    namespace: kind.namespaced ? namespace : undefined,
    uid: context.newUid(),
    resourceVersion: '',
    generation: kind.countsGenerations === true ? 1 : undefined,
    creationTimestamp: wholeSeconds(context.now()),
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
  });
}
