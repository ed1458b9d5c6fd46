import type { Resource } from '../objects/resources.ts';

/** The verbs of Kubernetes, as in roles and audit logs. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete';

/** One request to the cluster API. */
export interface ClusterRequest {
  readonly verb: Verb;
  readonly resource: Resource;
  /** Absent for resources without a namespace, and for lists over all namespaces. */
  readonly namespace?: string;
  readonly name?: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Of the body; `application/json` by default. */
  readonly contentType?: string;
  /** `application/json` by default. */
  readonly accept?: string;
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
  readonly items?: Iterable<unknown>;
  /** Size of the body. */
  readonly bytes: number;
}

/** Whether the verb changes nothing in the cluster. */
export function isRead(verb: Verb): boolean {
  return verb === 'get' || verb === 'list' || verb === 'watch';
}

export const METHODS: Readonly<Record<Verb, 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'>> = {
  get: 'GET',
  list: 'GET',
  watch: 'GET',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
};
