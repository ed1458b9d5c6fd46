import { ServiceError } from '../errors/service-error.ts';

/**
 * Namespaces of the cluster's own components. Someone who reads or writes Secrets there can take over the cluster,
 * since they include service account tokens and credentials to join nodes. So a wildcard does not include them.
 */
export const SYSTEM_NAMESPACES: readonly string[] = ['kube-node-lease', 'kube-public', 'kube-system'];

/** The parsed `SERVICE_NAMESPACES`. */
export interface NamespaceSelection {
  /** Whether `*` is among the entries. */
  readonly everyNamespace: boolean;
  /** All other entries. */
  readonly named: readonly string[];
}

/** What one list and watch covers: one namespace, or the whole cluster without some namespaces. */
export type WatchedScope =
  | { readonly namespace: string }
  | { readonly namespace?: undefined; readonly without: readonly string[] };

declare const inScope: unique symbol;

/**
 * A namespace of the scope. Only {@link NamespaceScope.require} returns one, so that a use case that takes it cannot be
 * called without the check, and need not repeat it.
 */
export type NamespaceInScope = string & { readonly [inScope]: true };

/** The namespaces that the service works in. Every check of the scope uses this. */
export type NamespaceScope = ReturnType<typeof createNamespaceScope>;

export function createNamespaceScope({ everyNamespace, named }: NamespaceSelection) {
  const listed = new Set(named);
  const without = SYSTEM_NAMESPACES.filter((namespace) => !listed.has(namespace));
  const contains = everyNamespace
    ? (namespace: string) => !without.includes(namespace)
    : (namespace: string) => listed.has(namespace);
  const sorted = [...listed].sort();
  return {
    contains,
    /** @throws {ServiceError} `forbidden` when the namespace is outside, for admins too */
    require: (namespace: string): NamespaceInScope => {
      if (contains(namespace)) return namespace as NamespaceInScope;
      throw new ServiceError('forbidden', 'This namespace is outside the scope of the service', {
        reason: 'namespaceOutOfScope',
      });
    },
    /**
     * The namespaces in scope, sorted, if the setting names each of them. Otherwise they have to be read from the
     * cluster.
     */
    named: everyNamespace ? undefined : (sorted as readonly string[]),
    /** Exactly what is in scope, as lists and watches: the cluster does not send anything else. */
    watched: (everyNamespace
      ? [{ without }]
      : sorted.map((namespace) => ({ namespace }))) as readonly WatchedScope[],
  };
}
