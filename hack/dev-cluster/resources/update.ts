import { isDeepStrictEqual } from 'node:util';
import { withMeta, type ApiObject } from '../api/object.ts';
import { formOf, presented } from '../api/form.ts';
import { type ApiRequest } from '../api/request.ts';
import { conflict, invalid, notFound, type FieldError } from '../api/status.ts';
import { jsonResponse, type ApiResponse } from '../http/api-response.ts';
import { kindSubject, resourceSubject, type Kind } from '../kinds/kind.ts';
import { NAMESPACE } from '../kinds/namespace.ts';
import { wholeSeconds } from '../kinds/times.ts';
import { withManagedFields } from '../managed-fields/managed-fields.ts';
import { invalidPlain } from '../validation/field-errors.ts';
import { validateMetadata, validateMetadataUpdate } from '../validation/metadata.ts';
import { type ResourceContext } from './context.ts';
import { createObject } from './create.ts';
import { checkName, incomingObject } from './incoming.ts';
import { writeOptionsOf, type WriteOptions } from './options.ts';

const MODIFIED =
  'the object has been modified; please apply your changes to the latest version and try again';

/** PUT on a name. */
export function replace(context: ResourceContext, kind: Kind, request: ApiRequest): ApiResponse {
  const { namespace, name } = request.info;
  const { draft, headers } = incomingObject(kind, request);
  checkName(draft, name, namespace);
  const options = writeOptionsOf(request);
  const form = formOf(request.headers.accept, false);
  const previous = context.store.get(kind, namespace, name);
  checkUid(kind, draft, previous, namespace);
  if (previous === undefined) {
    if (kind.createOnUpdate !== true) throw notFound(resourceSubject(kind, name));
    const fresh = withMeta(draft, { resourceVersion: '' });
    const created = createObject(context, { kind, namespace, draft: fresh }, options);
    return jsonResponse(201, presented(kind, created, form), headers);
  }
  const stored = updateObject(context, { kind, previous, draft }, options);
  return jsonResponse(200, presented(kind, stored, form), headers);
}

interface ChangedObject {
  readonly kind: Kind;
  readonly previous: ApiObject;
  readonly draft: ApiObject;
}

/** Everything that the cluster does to a new state of a stored object. Answers the state that is stored then. */
export function updateObject(
  { store, now }: ResourceContext,
  { kind, previous, draft }: ChangedObject,
  { dryRun, manager, applies }: WriteOptions,
): ApiObject {
  const { name } = previous.metadata;
  checkRevision(kind, draft, previous);
  const filled = withKeptFields(draft, previous);
  const prepared = withGeneration(kind, kind.prepare?.(filled, previous) ?? filled, previous);
  const errors: readonly FieldError[] = [
    ...validateMetadata(kind, prepared),
    ...validateMetadataUpdate(prepared, previous),
    ...(kind.validate?.(prepared, previous) ?? []),
  ];
  if (errors.length > 0) throw invalid(kindSubject(kind, name), errors);
  const owned = withManagedFields(kind, prepared, previous, { manager, applies, time: wholeSeconds(now()) });
  if (isDeepStrictEqual(owned, previous)) return previous;
  if (dryRun) return owned;
  if (!isReleased(kind, owned)) return store.put(kind, owned);
  store.remove(kind, previous);
  return owned;
}

/** Whether an object that waits to be deleted has nothing left to wait for. Namespaces wait for their contents. */
function isReleased(kind: Kind, { metadata }: ApiObject): boolean {
  if (kind === NAMESPACE || metadata.deletionTimestamp === undefined) return false;
  return (metadata.finalizers ?? []).length === 0;
}

function checkUid(kind: Kind, draft: ApiObject, previous: ApiObject | undefined, namespace: string): void {
  const { name, uid } = draft.metadata;
  const actual = previous?.metadata.uid ?? '';
  if (uid === '' || uid === actual) return;
  const key = ['/registry', kind.resource, ...(kind.namespaced ? [namespace] : []), name].join('/');
  const what = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${actual}`;
  throw conflict(
    resourceSubject(kind, name),
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${what}`,
  );
}

function checkRevision(kind: Kind, draft: ApiObject, previous: ApiObject): void {
  const { name } = previous.metadata;
  const requested = draft.metadata.resourceVersion;
  if (requested === '' && kind.needsRevision === true) {
    const error = invalidPlain('metadata.resourceVersion', '0x0', 'must be specified for an update');
    throw invalid(kindSubject(kind, name), [error]);
  }
  if (requested !== '' && requested !== previous.metadata.resourceVersion)
    throw conflict(resourceSubject(kind, name), MODIFIED);
}

/** An update may leave out what only the cluster sets. */
function withKeptFields(draft: ApiObject, previous: ApiObject): ApiObject {
  const { metadata: before } = previous;
  const { metadata: after } = draft;
  return withMeta(draft, {
    namespace: before.namespace,
    uid: after.uid === '' ? before.uid : after.uid,
    resourceVersion: before.resourceVersion,
    creationTimestamp: after.creationTimestamp === '' ? before.creationTimestamp : after.creationTimestamp,
    deletionTimestamp: after.deletionTimestamp ?? before.deletionTimestamp,
    deletionGracePeriodSeconds: after.deletionGracePeriodSeconds ?? before.deletionGracePeriodSeconds,
    generation: before.generation,
  });
}

function withGeneration(kind: Kind, draft: ApiObject, previous: ApiObject): ApiObject {
  if (kind.countsGenerations !== true || isDeepStrictEqual(draft['spec'], previous['spec'])) return draft;
  return withMeta(draft, { generation: (previous.metadata.generation ?? 0) + 1 });
}
