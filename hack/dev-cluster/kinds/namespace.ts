import { type ApiObject, withMeta } from '../api/object.ts';
import { textAt } from '../json/json.ts';
import { dnsLabel } from '../validation/names.ts';
import { type Kind } from './kind.ts';
import { anything, listOf, structOf, text } from './shape.ts';

export const NAMESPACE: Kind = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  resource: 'namespaces',
  shortNames: ['ns'],
  namespaced: false,
  goPackage: 'core',
  noCollectionDelete: true,
  nameRule: dnsLabel,
  fields: {
    spec: structOf({ finalizers: listOf(text) }),
    status: structOf({ phase: text, conditions: anything }),
  },
  prepare: (draft, previous) => {
    const labels = { ...draft.metadata.labels, 'kubernetes.io/metadata.name': draft.metadata.name };
    const spec = previous?.['spec'] ?? { finalizers: ['kubernetes'] };
    const status = previous?.['status'] ?? { phase: 'Active' };
    return { ...withMeta(draft, { labels }), spec, status };
  },
  selectable: (object) => ({ name: object.metadata.name, 'status.phase': textAt(object, 'status', 'phase') }),
};

/** Namespaces that the cluster itself needs and refuses to delete. */
export const IMMORTAL_NAMESPACES: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

export function terminating(namespace: ApiObject): ApiObject {
  return { ...namespace, status: { phase: 'Terminating' } };
}

export function isTerminating(namespace: ApiObject): boolean {
  return namespace.metadata.deletionTimestamp !== undefined;
}
