import { type ApiObject } from '../api/object.ts';
import { objectAt } from '../json/json.ts';
import { type Kind } from '../kinds/kind.ts';
import { isTerminating, NAMESPACE } from '../kinds/namespace.ts';
import { KINDS } from '../kinds/registry.ts';
import { type ResourceContext } from './context.ts';
import { deleteObject } from './delete.ts';

const CONTENTS: readonly Kind[] = KINDS.filter(({ namespaced }) => namespaced);

/**
 * Empties namespaces that are being deleted and then removes them, like the cluster's namespace controller:
 * a moment after the request, and held up by the finalizers of the contents.
 * @param stepMs with more than 0 it takes this long for the objects of each kind, for the namespace's own finalizer, and for
 *   its removal, as in a cluster that is busy
 */
export function startNamespaceSweeper(context: ResourceContext, stepMs: number): { stop(): void } {
  const { store } = context;
  const sweepNamespace = stepMs > 0 ? sweepStep : sweep;
  let scheduled: NodeJS.Timeout | NodeJS.Immediate | undefined;
  const run = (): void => {
    scheduled = undefined;
    for (const [, namespace] of store.entries(NAMESPACE, ''))
      if (isTerminating(namespace)) sweepNamespace(context, namespace);
  };
  const schedule = (): void => {
    scheduled ??= stepMs > 0 ? setTimeout(run, stepMs).unref() : setImmediate(run);
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
      if (stepMs > 0) clearTimeout(scheduled as NodeJS.Timeout | undefined);
      else clearImmediate(scheduled as NodeJS.Immediate | undefined);
    },
  };
}

function sweep(context: ResourceContext, namespace: ApiObject): void {
  const held = CONTENTS.map((kind) => deleteAll(context, kind, namespace)).filter((left) => left > 0);
  if (held.length === 0 && !isHeld(namespace)) context.store.remove(NAMESPACE, namespace);
}

/** One step; the change that it makes has the next one scheduled. */
function sweepStep(context: ResourceContext, namespace: ApiObject): void {
  const { store } = context;
  const { name } = namespace.metadata;
  const left = CONTENTS.filter((kind) => store.entries(kind, name).length > 0);
  const next = left.find((kind) => store.entries(kind, name).some(([, object]) => !isTerminating(object)));
  if (next !== undefined) deleteAll(context, next, namespace);
  else if (left.length > 0 || isHeld(namespace)) return;
  else if (finalizersOf(namespace).length > 0)
    store.put(NAMESPACE, { ...namespace, spec: { ...objectAt(namespace['spec']), finalizers: [] } });
  else store.remove(NAMESPACE, namespace);
}

/** Returns how many of them finalizers hold. */
function deleteAll(context: ResourceContext, kind: Kind, { metadata }: ApiObject): number {
  const objects = context.store.entries(kind, metadata.name);
  return objects.filter(([, object]) => deleteObject(context, kind, object) !== undefined).length;
}

function isHeld({ metadata }: ApiObject): boolean {
  return (metadata.finalizers ?? []).length > 0;
}

function finalizersOf(namespace: ApiObject): readonly unknown[] {
  const finalizers = objectAt(namespace['spec'])?.['finalizers'];
  return Array.isArray(finalizers) ? finalizers : [];
}
