import { withoutTrailingSlashes } from '../../config/addresses.ts';
import { resourcePath, type Resource } from '../objects/resources.ts';

/** The verbs of Kubernetes, as in roles and audit logs. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete';

/** One request to the cluster API. */
export interface ClusterRequest {
  readonly verb: Verb;
  readonly resource: Resource;
  /** Absent for resources without a namespace, and for lists over all namespaces. */
  readonly namespace?: string | undefined;
  readonly name?: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Of the body; `application/json` by default. */
  readonly contentType?: string;
  /** Of each object only the metadata is transferred. A server that cannot leave out the rest must refuse. */
  readonly asMetadata?: boolean | undefined;
  /** The limit for the response. The rest of a longer one is not read. */
  readonly maxBytes?: number;
  /** Of a reflector: it has a few connections of its own, so that no one waits behind it. */
  readonly isBackground?: boolean;
}

/** A response of the cluster API with a status below 300. */
export interface ClusterReply {
  readonly status: number;
  /** The parsed body, of a list without its items. Keys such as `__proto__` are own properties. */
  readonly body: unknown;
  /**
   * The items of a list, parsed one by one, as they are read. Until then they are bytes outside the heap, so that no value is in
   * the heap while the objects of a page are processed in slices. Those that are not JSON throw `unavailable`.
   */
  readonly items?: Iterable<ListedItem>;
  /** Size of the body. */
  readonly bytes: number;
}

/** An item of a list, and its size as JSON. */
export type ListedItem = readonly [native: unknown, bytes: number];

/** Whether the verb changes nothing in the cluster. */
export const isRead = (verb: Verb): boolean => verb === 'get' || verb === 'list' || verb === 'watch';

export const METHODS: Readonly<Record<Verb, 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'>> = {
  get: 'GET',
  list: 'GET',
  watch: 'GET',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
};

/** The address of a request. @param server the base URL of the server, which may have a path */
export function addressOf({ resource, namespace, name, query = {} }: ClusterRequest, server: string) {
  const url = new URL(`${withoutTrailingSlashes(server)}${resourcePath(resource, namespace, name)}`);
  for (const [key, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(key, value);
  return { origin: url.origin, path: `${url.pathname}${url.search}` };
}

/** The headers of a request, including the credentials. */
export function headersOf(
  { verb, asMetadata = false, body, contentType = 'application/json' }: ClusterRequest,
  access: Readonly<Record<string, string>>,
  traceparent?: string,
): Record<string, string> {
  const kind = verb === 'list' ? 'PartialObjectMetadataList' : 'PartialObjectMetadata';
  return {
    accept: asMetadata ? `application/json;as=${kind};g=meta.k8s.io;v=v1` : 'application/json',
    'user-agent': 'secrets-management-service',
    ...(body !== undefined && { 'content-type': contentType }),
    ...(traceparent !== undefined && { traceparent }),
    ...access,
  };
}

/** The path of a request, with placeholders for names. */
export function templateOf({ resource, namespace, name }: ClusterRequest): string {
  const inNamespace = namespace === undefined ? '' : '/namespaces/{namespace}';
  const ofObject = name === undefined ? '' : '/{name}';
  return `${resource.api}${inNamespace}/${resource.plural}${ofObject}`;
}
