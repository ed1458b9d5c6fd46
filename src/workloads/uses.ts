import type { Workload } from './ports.ts';

/** How a pod may use a Secret, in the order of lists. */
export const USES = ['env', 'envFrom', 'volume', 'imagePullSecret'] as const;

export type Use = (typeof USES)[number];

/**
 * How the pods of a spec use a Secret: each use once, in the order of {@link USES}. Optional references count, too. The
 * spec is the cluster's JSON; unexpected values are ignored.
 */
export function usesOf(podSpec: unknown, secretName: string): readonly Use[] {
  return USES.filter((use) => NAMES[use](podSpec).includes(secretName));
}

/** A workload whose pods use a Secret, without its pod spec, which may contain values and is large. */
export interface Consumer extends Omit<Workload, 'podSpec'> {
  readonly uses: readonly Use[];
}

/** The workload as a consumer of a Secret. Without uses it is not a consumer. */
export function consumerOf(workload: Workload, secretName: string): Consumer {
  const { podSpec, ...kept } = workload;
  return { ...kept, uses: usesOf(podSpec, secretName) };
}

/** The Secrets that a pod spec names, by use. */
const NAMES: Readonly<Record<Use, (podSpec: unknown) => readonly unknown[]>> = {
  env: (podSpec) => inContainers(podSpec, 'env').map((one) => at(one, 'valueFrom', 'secretKeyRef', 'name')),
  envFrom: (podSpec) => inContainers(podSpec, 'envFrom').map((one) => at(one, 'secretRef', 'name')),
  volume: (podSpec) => listOf(podSpec, 'volumes').flatMap(namesOfVolume),
  imagePullSecret: (podSpec) => listOf(podSpec, 'imagePullSecrets').map((reference) => at(reference, 'name')),
};

/** What the containers of a pod list under a name. Templates have no ephemeral containers. */
function inContainers(podSpec: unknown, name: string): readonly unknown[] {
  const containers = ['initContainers', 'containers'].flatMap((list) => listOf(podSpec, list));
  return containers.flatMap((container) => listOf(container, name));
}

/** Where volume sources name a Secret: the fields of `Volume` in the Kubernetes API, core/v1. */
const VOLUME_FIELDS: readonly (readonly string[])[] = [
  ['secret', 'secretName'],
  ['azureFile', 'secretName'],
  ['csi', 'nodePublishSecretRef', 'name'],
  ['flexVolume', 'secretRef', 'name'],
  ['cephfs', 'secretRef', 'name'],
  ['iscsi', 'secretRef', 'name'],
  ['rbd', 'secretRef', 'name'],
  ['scaleIO', 'secretRef', 'name'],
  ['storageos', 'secretRef', 'name'],
];

function namesOfVolume(volume: unknown): readonly unknown[] {
  const projected = listOf(at(volume, 'projected'), 'sources').map((source) => at(source, 'secret', 'name'));
  return [...VOLUME_FIELDS.map((path) => at(volume, ...path)), ...projected];
}

function listOf(value: unknown, name: string): readonly unknown[] {
  const list = at(value, name);
  return Array.isArray(list) ? list : [];
}

/** An own property at a path. */
function at(value: unknown, ...path: readonly string[]): unknown {
  let here = value;
  for (const name of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, name)) return undefined;
    here = (here as Readonly<Record<string, unknown>>)[name];
  }
  return here;
}
