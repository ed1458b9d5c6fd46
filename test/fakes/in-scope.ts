import { createNamespaceScope, type NamespaceInScope } from '../../src/access/namespace-scope.ts';
import type { RefInScope } from '../../src/secrets/authorize.ts';

/** A namespace in the scope of a service that works in it alone. */
export function inScope(namespace: string): NamespaceInScope {
  return createNamespaceScope({ everyNamespace: false, named: [namespace] }).require(namespace);
}

/** The name of a Secret in such a namespace. */
export function refInScope({ namespace, name }: { namespace: string; name: string }): RefInScope {
  return { namespace: inScope(namespace), name };
}
