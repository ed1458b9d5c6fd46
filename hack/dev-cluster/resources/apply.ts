import { parse } from 'yaml';
import { denial } from '../access/authorizer.ts';
import { formOf, presented } from '../api/form.ts';
import { type ApiRequest } from '../api/request.ts';
import { badRequest, conflict } from '../api/status.ts';
import { jsonResponse, type ApiResponse } from '../http/api-response.ts';
import { at, isObject, type JsonObject } from '../json/json.ts';
import { decodeFields, decodeObject } from '../kinds/decode.ts';
import { listRulesOf, resourceSubject, versioned, type Kind } from '../kinds/kind.ts';
import { appliedPaths, withoutPaths } from '../managed-fields/field-paths.ts';
import { ownersOf } from '../managed-fields/managed-fields.ts';
import { strategicMergePatch } from '../patches/strategic-merge-patch.ts';
import { type ResourceContext } from './context.ts';
import { createObject } from './create.ts';
import { checkName, checkUnknown } from './incoming.ts';
import { applyOptionsOf } from './options.ts';
import { updateObject } from './update.ts';

/**
 * Server-side apply: PATCH with what a manager wants, in YAML or JSON. Creates what is absent; what the manager applied before,
 * no longer does, and owns alone is removed.
 */
export function apply(context: ResourceContext, kind: Kind, request: ApiRequest): ApiResponse {
  const { namespace, name } = request.info;
  const { force, ...options } = applyOptionsOf(request);
  const config = configOf(request.body);
  const { headers } = checkUnknown(kind, decodeObject(kind, config), request.query);
  const form = formOf(request.headers.accept, false);
  const paths = appliedPaths(config, listRulesOf(kind));
  const writes = { ...options, applies: { paths, force } };
  const previous = context.store.get(kind, namespace, name);
  if (previous === undefined) {
    const { draft } = decodeFields(kind, config);
    checkName(draft, name, namespace);
    const creation = { ...request.info, verb: 'create' };
    if (context.authorize(request.user, creation) === undefined) throw denial(request.user, creation);
    const { uid } = draft.metadata;
    if (uid !== '') {
      const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
      throw conflict(resourceSubject(kind, name), why);
    }
    const created = createObject(context, { kind, namespace, draft }, writes);
    return jsonResponse(201, presented(kind, created, form), headers);
  }
  const owners = ownersOf(previous);
  const own = owners.filter((owner) => owner.operation === 'Apply' && owner.manager === options.manager);
  const others = owners.filter((owner) => !own.includes(owner));
  const pathsIn = (of: typeof owners): readonly string[] => of.flatMap((owner) => owner.paths);
  const merged = strategicMergePatch(versioned(kind, previous), config, listRulesOf(kind));
  const pruned = withoutPaths(merged, pathsIn(own), [...paths, ...pathsIn(others)]);
  const { draft } = decodeFields(kind, pruned);
  checkName(draft, name, namespace);
  const stored = updateObject(context, { kind, previous, draft }, writes);
  return jsonResponse(200, presented(kind, stored, form), headers);
}

function configOf(body: Buffer): JsonObject {
  let config: unknown;
  try {
    config = parse(body.toString('utf8'));
  } catch (error) {
    // Without the lines that the parser quotes.
    throw badRequest(`error decoding YAML: ${error instanceof Error ? error.name : 'unknown'}`);
  }
  if (!isObject(config)) throw badRequest('error decoding YAML: the patch is no object');
  if (at(config, 'metadata', 'managedFields') === undefined) return config;
  throw badRequest('metadata.managedFields must be nil');
}
