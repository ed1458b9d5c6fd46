import { KINDS } from '../kinds/registry.ts';
import { isTerminating, NAMESPACE } from '../kinds/namespace.ts';
import { type ResourceContext } from './context.ts';
import { deleteObject } from './delete.ts';

/**
 * Empties namespaces that are being deleted and then removes them, like the cluster's namespace controller:
 * a moment after the request, and held up by the finalizers of the contents.
 */
export function startNamespaceSweeper(context: ResourceContext): { stop(): void } {
  const { store } = context;
  let scheduled: NodeJS.Immediate | undefined;
  const schedule = (): void => {
    scheduled ??= setImmediate(() => {
      scheduled = undefined;
      for (const [name, object] of store.entries(NAMESPACE, ''))
        if (isTerminating(object)) sweep(context, name);
    });
  };
  const unsubscribe = store.subscribe((change) => {
    const about =
      change.resource === NAMESPACE.resource ? change.key : (change.object.metadata.namespace ?? '');
    const namespace = store.get(NAMESPACE, '', about);
    if (namespace !== undefined && isTerminating(namespace)) schedule();
  });
  schedule();
  return {
    stop() {
      unsubscribe();
      clearImmediate(scheduled);
    },
  };
}

function sweep(context: ResourceContext, name: string): void {
  let held = 0;
  for (const kind of KINDS.filter(({ namespaced }) => namespaced)) {
    for (const [, object] of context.store.entries(kind, name)) {
      if (deleteObject(context, kind, object) !== undefined) held++;
    }
  }
  const namespace = context.store.get(NAMESPACE, '', name);
  if (namespace === undefined || held > 0 || (namespace.metadata.finalizers ?? []).length > 0) return;
  context.store.remove(NAMESPACE, namespace);
}
