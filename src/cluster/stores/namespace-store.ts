import type { NamespaceStore } from '../../access/ports.ts';
import type { Gateway } from '../transport/gateway.ts';
import { field, requiredText } from './raw-object.ts';
import { NAMESPACES } from './resources.ts';
import { readWholeList } from './whole-list.ts';

/** Only the metadata; a server that cannot answer so may answer with whole objects. */
const METADATA_ONLY = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';

/** The cluster's namespaces, read live. */
export function createNamespaceStore(gateway: Pick<Gateway, 'request'>): NamespaceStore {
  return {
    names: (deadline) => {
      const list = {
        resource: NAMESPACES,
        accept: METADATA_ONLY,
        kinds: ['PartialObjectMetadataList', 'NamespaceList'],
        keep: nameOf,
      };
      return readWholeList(gateway, list, deadline);
    },
  };
}

function nameOf(native: unknown): string {
  return requiredText(field(field(native, 'metadata'), 'name'), 'malformedNamespace');
}
