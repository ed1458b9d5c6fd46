import { withMeta, type ApiObject } from '../api/object.ts';
import { formOf, presented, presentedList } from '../api/form.ts';
import { type ApiRequest } from '../api/request.ts';
import { badRequest, conflict, forbidden, notFound, success } from '../api/status.ts';
import { jsonResponse, rawResponse, type ApiResponse } from '../http/api-response.ts';
import { isObject, listAt, textAt } from '../json/json.ts';
import { kindSubject, resourceSubject, type Kind } from '../kinds/kind.ts';
import { IMMORTAL_NAMESPACES, isTerminating, NAMESPACE, terminating } from '../kinds/namespace.ts';
import { wholeSeconds } from '../kinds/times.ts';
import { type ResourceContext } from './context.ts';
import { bodyOf } from './incoming.ts';
import { isDryRun } from './options.ts';
import { listedPage } from './read.ts';

interface DeleteOptions {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly dryRun: boolean;
}

/** DELETE on a name. Answers a Status when the object is gone, and the object while finalizers hold it. */
export function remove(context: ResourceContext, kind: Kind, request: ApiRequest): ApiResponse {
  const { namespace, name } = request.info;
  const options = deleteOptions(request);
  if (kind === NAMESPACE && IMMORTAL_NAMESPACES.has(name)) {
    throw forbidden(resourceSubject(kind, name), 'this namespace may not be deleted');
  }
  const object = context.store.get(kind, namespace, name);
  if (object === undefined) throw notFound(resourceSubject(kind, name));
  checkPreconditions(kind, object, options);
  const form = formOf(request.headers.accept, false);
  const left = options.dryRun ? undefined : deleteObject(context, kind, object);
  if (left !== undefined) return jsonResponse(200, presented(kind, left, form));
  if (kind.returnsDeleted === true) return jsonResponse(200, presented(kind, object, form));
  return jsonResponse(200, success(resourceSubject(kind, name), object.metadata.uid));
}

/** DELETE on a collection: what a list of it would answer, `limit` and `continue` included. Answers that list. */
export function removeCollection(context: ResourceContext, kind: Kind, request: ApiRequest): ApiResponse {
  const options = deleteOptions(request);
  const form = formOf(request.headers.accept, true);
  const { items, metadata } = listedPage(context, kind, request);
  const objects = items.flatMap(
    ({ metadata: { namespace, name } }) => context.store.get(kind, namespace ?? '', name) ?? [],
  );
  for (const object of objects) checkPreconditions(kind, object, options);
  if (!options.dryRun) for (const object of objects) deleteObject(context, kind, object);
  const revision = 'continue' in metadata ? {} : { resourceVersion: String(context.store.revision) };
  return rawResponse(200, presentedList(kind, objects, { ...metadata, ...revision }, form));
}

/**
 * Deletes an object, or sets its deletion timestamp when something holds it: a finalizer, or a namespace's
 * contents. Answers what is left of it.
 */
export function deleteObject(context: ResourceContext, kind: Kind, object: ApiObject): ApiObject | undefined {
  const { metadata } = object;
  if (kind !== NAMESPACE && (metadata.finalizers ?? []).length === 0) {
    context.store.remove(kind, object);
    return undefined;
  }
  if (isTerminating(object)) return object;
  const marked = withMeta(object, {
    deletionTimestamp: wholeSeconds(context.now()),
    ...(kind === NAMESPACE ? {} : { deletionGracePeriodSeconds: 0 }),
    ...(metadata.generation === undefined ? {} : { generation: metadata.generation + 1 }),
  });
  return context.store.put(kind, kind === NAMESPACE ? terminating(marked) : marked);
}

/** The options come from the body when there is one, and only then from the query. */
function deleteOptions(request: ApiRequest): DeleteOptions {
  if (request.body.length === 0) {
    return { uid: '', resourceVersion: '', dryRun: isDryRun(request.query.getAll('dryRun')) };
  }
  const body = bodyOf(request);
  if (!isObject(body)) throw badRequest('the body of a DELETE must be DeleteOptions');
  return {
    uid: textAt(body, 'preconditions', 'uid'),
    resourceVersion: textAt(body, 'preconditions', 'resourceVersion'),
    dryRun: isDryRun(listAt(body, 'dryRun').map(String)),
  };
}

function checkPreconditions(kind: Kind, { metadata }: ApiObject, options: DeleteOptions): void {
  const subject = kindSubject(kind, metadata.name);
  if (options.uid !== '' && options.uid !== metadata.uid) {
    throw conflict(
      subject,
      `the UID in the precondition (${options.uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    );
  }
  if (options.resourceVersion !== '' && options.resourceVersion !== metadata.resourceVersion) {
    throw conflict(
      subject,
      `the ResourceVersion in the precondition (${options.resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    );
  }
}
