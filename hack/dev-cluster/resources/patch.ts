import { type ApiObject } from '../api/object.ts';
import { formOf, presented } from '../api/form.ts';
import { type ApiRequest } from '../api/request.ts';
import { ApiError, badRequest, invalid, notFound, unsupportedMediaType } from '../api/status.ts';
import { jsonResponse, type ApiResponse } from '../http/api-response.ts';
import { isObject, type Json } from '../json/json.ts';
import { decodeFields, parseBody, type Decoded } from '../kinds/decode.ts';
import { listRulesOf, resourceSubject, versioned, type Kind } from '../kinds/kind.ts';
import { DecodeError } from '../kinds/shape.ts';
import { InapplicablePatch, jsonPatch, MalformedPatch } from '../patches/json-patch.ts';
import { mergePatch } from '../patches/merge-patch.ts';
import { strategicMergePatch } from '../patches/strategic-merge-patch.ts';
import { invalidValue } from '../validation/field-errors.ts';
import { apply } from './apply.ts';
import { type ResourceContext } from './context.ts';
import { checkName, checkUnknown, mediaType } from './incoming.ts';
import { patchOptionsOf } from './options.ts';
import { updateObject } from './update.ts';

type ApplyPatch = (kind: Kind, current: Json, patch: Json) => Json;

const PATCHES: Readonly<Record<string, ApplyPatch>> = {
  'application/json-patch+json': (_kind, current, patch) => applyJsonPatch(current, patch),
  'application/merge-patch+json': (_kind, current, patch) => mergePatch(current, objectPatch(patch)),
  'application/strategic-merge-patch+json': (kind, current, patch) => {
    return strategicMergePatch(isObject(current) ? current : {}, objectPatch(patch), listRulesOf(kind));
  },
};

const APPLY = 'application/apply-patch+yaml';

/** PATCH on a name: apply, merge patch, strategic merge patch or JSON patch, by content type; anything else is 415. */
export function patch(context: ResourceContext, kind: Kind, request: ApiRequest): ApiResponse {
  const { namespace, name } = request.info;
  const type = mediaType(request.headers['content-type']);
  if (type === APPLY) return apply(context, kind, request);
  const change = Object.hasOwn(PATCHES, type) ? PATCHES[type] : undefined;
  if (change === undefined) throw unsupportedMediaType([...Object.keys(PATCHES), APPLY]);
  const given = parseBody(request.body);
  const options = patchOptionsOf(request);
  const previous = context.store.get(kind, namespace, name);
  if (previous === undefined) throw notFound(resourceSubject(kind, name));
  const decoded = patched(kind, previous, (current) => change(kind, current, given));
  const { draft, headers } = checkUnknown(kind, decoded, request.query);
  checkName(draft, name, namespace);
  const stored = updateObject(context, { kind, previous, draft }, options);
  return jsonResponse(200, presented(kind, stored, formOf(request.headers.accept, false)), headers);
}

function patched(kind: Kind, previous: ApiObject, apply: (current: Json) => Json): Decoded {
  const result = apply(versioned(kind, previous));
  try {
    return decodeFields(kind, isObject(result) ? result : {});
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    // The real server quotes the whole patched object here, values and all: clients must not pass that on.
    throw invalid({ group: '', kind: '' }, [invalidValue('patch', JSON.stringify(result), error.message)]);
  }
}

function objectPatch(value: Json) {
  if (isObject(value)) return value;
  throw badRequest('json: cannot unmarshal into Go value of type map[string]interface {}');
}

function applyJsonPatch(current: Json, change: Json): Json {
  try {
    return jsonPatch(current, change);
  } catch (error) {
    if (error instanceof MalformedPatch) throw badRequest(error.message);
    if (!(error instanceof InapplicablePatch)) throw error;
    const message = 'the server rejected our request due to an error in our request';
    throw new ApiError(422, 'Invalid', message, { details: {} });
  }
}
