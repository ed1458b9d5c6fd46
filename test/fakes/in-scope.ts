import { createNamespaceScope, type NamespaceInScope } from '../../src/access/namespace-scope.ts';
import type { WantedSecret } from '../../src/secrets/authorize.ts';

/** A namespace in the scope of a service that works in it alone. */
export function inScope(namespace: string): NamespaceInScope {
  return createNamespaceScope({ everyNamespace: false, named: [namespace] }).require(namespace);
}

/** A Secret in such a namespace, for whoever may manage it. */
export function refInScope({ namespace, name }: { namespace: string; name: string }): WantedSecret<'manage'> {
  return { namespace: inScope(namespace), name, level: 'manage' };
}
