import { createNamespaceScope, type NamespaceScope } from '../../src/access/namespace-scope.ts';

/** The default: every namespace but those of the system. */
export const WHOLE_CLUSTER: NamespaceScope = createNamespaceScope({ everyNamespace: true, named: [] });

/** A scope of names alone; without any, the default. */
export function scopeOf(named?: readonly string[]): NamespaceScope {
  return named === undefined ? WHOLE_CLUSTER : createNamespaceScope({ everyNamespace: false, named });
}
