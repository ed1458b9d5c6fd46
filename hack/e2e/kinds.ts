import type { Manifest } from '../manifests/rendered.ts';
import type { ClusterApi } from './cluster-api.ts';

/** Where a kind's objects are in the cluster's API. */
interface Place {
  readonly plural: string;
  readonly namespaced: boolean;
}

interface ResourceList {
  readonly resources?: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
  }[];
}

/** The kinds that a cluster serves, from its discovery documents. */
export interface KnownKinds {
  /** The path of the collection that an object belongs to; undefined when the cluster does not know its kind. */
  collectionOf(manifest: Manifest): Promise<string | undefined>;
}

export function knownKinds(cluster: ClusterApi): KnownKinds {
  const groups = new Map<string, Promise<ReadonlyMap<string, Place>>>();
  const placesOf = (apiVersion: string) => {
    const known = groups.get(apiVersion) ?? readGroup(cluster, apiVersion);
    groups.set(apiVersion, known);
    return known;
  };
  return {
    async collectionOf({ apiVersion, kind, metadata }) {
      const place = (await placesOf(apiVersion)).get(kind);
      if (place === undefined) return undefined;
      const home = place.namespaced ? `/namespaces/${metadata.namespace ?? 'default'}` : '';
      return `${groupPath(apiVersion)}${home}/${place.plural}`;
    },
  };
}

function groupPath(apiVersion: string): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

async function readGroup(cluster: ClusterApi, apiVersion: string): Promise<ReadonlyMap<string, Place>> {
  const path = groupPath(apiVersion);
  if ((await cluster.send('GET', path)).status === 404) return new Map();
  const { resources = [] } = (await cluster.insist('GET', path)) as ResourceList;
  const places = resources
    .filter(({ name }) => !name.includes('/'))
    .map(({ kind, name, namespaced }) => [kind, { plural: name, namespaced }] as const);
  return new Map(places);
}
