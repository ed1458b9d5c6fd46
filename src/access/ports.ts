import type { Deadline } from '../timing/deadline.ts';

/** A namespace's policy object as the cluster holds it, not yet judged. */
export interface StoredPolicy {
  readonly namespace: string;
  /** Opaque; grows with every change of the object. */
  readonly resourceVersion: string;
  /** The text values of the ConfigMap. */
  readonly data: ReadonlyMap<string, string>;
  /** Keys that the ConfigMap holds as binary values instead. */
  readonly binaryKeys: readonly string[];
}

/** Where namespace policies are kept: always live, never from a cache. */
export interface PolicyStore {
  /**
   * The policy of one namespace. Undefined only when the cluster said 404 for this very object.
   * @throws {ServiceError} on every other failure
   */
  read(namespace: string, deadline: Deadline): Promise<StoredPolicy | undefined>;
  /**
   * The policies of all namespaces (needs cluster-wide rights); a namespace that is missing has none.
   * @throws {ServiceError} when any part of the answer is missing
   */
  readAll(deadline: Deadline): Promise<readonly StoredPolicy[]>;
}

/** The namespaces that the cluster has, but for those that are being deleted: nothing can be created there. */
export interface NamespaceStore {
  /** Names of all namespaces, in no particular order; needs cluster-wide rights. */
  names(deadline: Deadline): Promise<readonly string[]>;
}

/** The same from memory. */
export interface NamespaceCache {
  /** Undefined when the cache cannot vouch for them. */
  names(): readonly string[] | undefined;
}
