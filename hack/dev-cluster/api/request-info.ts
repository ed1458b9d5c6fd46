import { badRequest } from './status.ts';
import { nameInFieldSelector } from '../selectors/field-selector.ts';

/** What a request is about, as rights, faults and the request log see it. */
export interface RequestInfo {
  /** Whether it names a resource; otherwise only verb and path say something. */
  readonly isResource: boolean;
  /** get, list, watch, create, update, patch, delete, deletecollection; the lowercase method off resources. */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly path: string;
}

const VERBS: Readonly<Record<string, string>> = {
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
  GET: 'get',
  HEAD: 'get',
};
/** What may follow a namespace's name without being a resource inside it. */
const NAMESPACE_PARTS: ReadonlySet<string> = new Set(['status', 'finalize']);

/** Reads method, path and query like the cluster's RequestInfo resolver, whose rules its rights build on. */
export function requestInfo(method: string, url: URL): RequestInfo {
  const segments = url.pathname.split('/').slice(1).map(decoded);
  const base = {
    path: url.pathname,
    group: '',
    version: '',
    resource: '',
    subresource: '',
    namespace: '',
    name: '',
  };
  const off = { ...base, isResource: false, verb: method.toLowerCase() };
  const rest = segments[0] === 'api' ? segments.slice(2) : segments.slice(3);
  if (!['api', 'apis'].includes(segments[0] ?? '') || (rest[0] ?? '') === '') return off;
  const group = segments[0] === 'api' ? '' : (segments[1] ?? '');
  const version = (segments[0] === 'api' ? segments[1] : segments[2]) ?? '';
  const place = placeOf(rest);
  const verb = verbOf(method, place.name, url.searchParams);
  const name = ['list', 'watch', 'deletecollection'].includes(verb)
    ? (nameInFieldSelector(url.searchParams.get('fieldSelector') ?? '') ?? '')
    : place.name;
  return { ...base, ...place, isResource: true, verb, group, version, name };
}

/** Whether the request is a watch (`watch=true`, `watch=1`). */
export function isWatch(query: URLSearchParams): boolean {
  return ['true', '1'].includes(query.get('watch') ?? '');
}

function placeOf(
  rest: readonly string[],
): Pick<RequestInfo, 'resource' | 'subresource' | 'namespace' | 'name'> {
  const inNamespace = rest[0] === 'namespaces' && rest.length > 1;
  const namespace = inNamespace ? (rest[1] ?? '') : '';
  const inside = inNamespace && rest.length > 2 && !NAMESPACE_PARTS.has(rest[2] ?? '');
  const [resource = '', name = '', ...parts] = inside ? rest.slice(2) : rest;
  return { resource, name, subresource: parts.join('/'), namespace };
}

function verbOf(method: string, name: string, query: URLSearchParams): string {
  const verb = VERBS[method] ?? method.toLowerCase();
  if (name !== '') return verb;
  if (verb === 'get') return isWatch(query) ? 'watch' : 'list';
  return verb === 'delete' ? 'deletecollection' : verb;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw badRequest('the path holds a malformed escape');
  }
}
