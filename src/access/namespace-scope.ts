import { ServiceError } from '../errors/service-error.ts';

/**
 * Namespaces of the cluster's own components. Whoever reads or writes Secrets there may become the cluster: service
 * account tokens and credentials to join nodes are among them. So no wildcard stands for them.
 */
export const SYSTEM_NAMESPACES: readonly string[] = ['kube-node-lease', 'kube-public', 'kube-system'];

/** What `SERVICE_NAMESPACES` says. */
export interface NamespaceSelection {
  /** Whether `*` is among the entries. */
  readonly everyNamespace: boolean;
  /** All other entries. */
  readonly named: readonly string[];
}

/** What is listed and watched at once: one namespace, or the whole cluster without some. */
export type WatchedPlace =
  { readonly namespace: string } | { readonly namespace?: undefined; readonly without: readonly string[] };

/** The namespaces that the service works in. Everything that asks whether a namespace belongs to them asks here. */
export interface NamespaceScope {
  contains(namespace: string): boolean;
  /** @throws {ServiceError} `forbidden` when the namespace is outside, for admins too */
  require(namespace: string): void;
  /** The namespaces in scope, sorted, when the setting names each of them; otherwise the cluster has to be asked. */
  readonly named: readonly string[] | undefined;
  /** Everything in scope and nothing else, to be listed and watched: the cluster does not even send the rest. */
  readonly places: readonly WatchedPlace[];
}

export function createNamespaceScope({ everyNamespace, named }: NamespaceSelection): NamespaceScope {
  const listed = new Set(named);
  const without = SYSTEM_NAMESPACES.filter((namespace) => !listed.has(namespace));
  const contains = everyNamespace
    ? (namespace: string) => !without.includes(namespace)
    : (namespace: string) => listed.has(namespace);
  const sorted = [...listed].sort();
  return {
    contains,
    require(namespace) {
      if (contains(namespace)) return;
      throw new ServiceError('forbidden', 'This namespace is outside the scope of the service', {
        reason: 'namespaceOutOfScope',
      });
    },
    named: everyNamespace ? undefined : sorted,
    places: everyNamespace ? [{ without }] : sorted.map((namespace) => ({ namespace })),
  };
}
