import { discoveryDocuments } from '../discovery/documents.ts';
import { openapiDocuments } from '../discovery/openapi.ts';
import { jsonResponse, textResponse, type ApiResponse } from '../http/api-response.ts';
import { kindOf } from '../kinds/registry.ts';
import { type Kind } from '../kinds/kind.ts';
import { review } from '../resources/access-review.ts';
import { type ResourceContext } from '../resources/context.ts';
import { create } from '../resources/create.ts';
import { remove, removeCollection } from '../resources/delete.ts';
import { patch } from '../resources/patch.ts';
import { list, read } from '../resources/read.ts';
import { requestToken, reviewToken, type TokenParts } from '../resources/token-request.ts';
import { replace } from '../resources/update.ts';
import { type ApiRequest } from './request.ts';
import { methodNotAllowed, routeNotFound } from './status.ts';

type Handler = (context: ResourceContext, kind: Kind, request: ApiRequest) => ApiResponse;

const HANDLERS: Readonly<Record<string, Handler>> = {
  get: read,
  list,
  create,
  update: replace,
  patch,
  delete: remove,
  deletecollection: removeCollection,
};
const HEALTH_PATHS: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz']);

/** Answers every request but watches. */
export function createRouter(
  context: ResourceContext,
  tokens: TokenParts,
): (request: ApiRequest) => ApiResponse {
  const documents = new Map([...discoveryDocuments(), ...openapiDocuments()]);
  return (request) => {
    const { info } = request;
    if (!info.isResource) return document(documents, request);
    const answer = review(context, request);
    if (answer !== undefined) return answer;
    if (info.resource === 'serviceaccounts' && info.subresource === 'token' && info.verb === 'create') {
      return requestToken(context, tokens, request);
    }
    if (`${info.group}/${info.resource}` === 'authentication.k8s.io/tokenreviews' && info.verb === 'create') {
      return reviewToken(tokens, request);
    }
    const kind = requestedKind(request);
    return handlerOf(kind, request)(context, kind, request);
  };
}

/** The stored kind that a request is about; 404 when the cluster has no such resource. */
export function requestedKind({ info }: ApiRequest): Kind {
  const kind = kindOf(info.group, info.resource);
  const scoped = kind?.namespaced === false ? info.namespace === '' || kind.resource === 'namespaces' : true;
  if (kind?.version !== info.version || info.subresource !== '' || !scoped) throw routeNotFound();
  return kind;
}

function handlerOf(kind: Kind, { info, method }: ApiRequest): Handler {
  const handler = Object.hasOwn(HANDLERS, info.verb) ? HANDLERS[info.verb] : undefined;
  const needsName = !['list', 'create', 'deletecollection'].includes(info.verb);
  const named = info.verb === 'list' || info.verb === 'deletecollection' ? false : info.name !== '';
  if (handler === undefined || needsName !== named) throw methodNotAllowed();
  if (info.verb === 'deletecollection' && kind.noCollectionDelete === true) throw methodNotAllowed();
  if (method === 'POST' && kind.namespaced && info.namespace === '') throw methodNotAllowed();
  return handler;
}

function document(
  documents: ReadonlyMap<string, Parameters<typeof jsonResponse>[1]>,
  request: ApiRequest,
): ApiResponse {
  const path = request.info.path.replace(/(?<=.)\/$/, '');
  if (request.method !== 'GET') throw methodNotAllowed();
  if (HEALTH_PATHS.has(path)) return textResponse(200, 'ok');
  const found = documents.get(path);
  return found === undefined ? textResponse(404, '404 page not found\n') : jsonResponse(200, found);
}
