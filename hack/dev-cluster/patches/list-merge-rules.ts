/**
 * How strategic merge patch merges a list: by a key of its items, or as a set when the items are plain
 * values. Lists that are not named are replaced as a whole. The key is the path of field names from the
 * object's root; list items add nothing to it (`spec.template.spec.containers.env`).
 */
export type ListMergeRules = Readonly<Record<string, ListMergeRule>>;
export type ListMergeRule = { readonly key: string } | 'set';

export const METADATA_LIST_RULES: ListMergeRules = {
  'metadata.finalizers': 'set',
  'metadata.ownerReferences': { key: 'uid' },
};

/** The lists of a pod's specification, wherever it stands in an object. */
export function podListRules(pod: string): ListMergeRules {
  const keyed: Record<string, string> = {
    containers: 'name',
    initContainers: 'name',
    ephemeralContainers: 'name',
    volumes: 'name',
    imagePullSecrets: 'name',
    hostAliases: 'ip',
    topologySpreadConstraints: 'topologyKey',
    resourceClaims: 'name',
  };
  const ofContainers: Record<string, string> = {
    env: 'name',
    ports: 'containerPort',
    volumeMounts: 'mountPath',
    volumeDevices: 'devicePath',
  };
  const rules = new Map<string, ListMergeRule>();
  for (const [field, key] of Object.entries(keyed)) rules.set(`${pod}.${field}`, { key });
  for (const list of ['containers', 'initContainers', 'ephemeralContainers']) {
    for (const [field, key] of Object.entries(ofContainers)) rules.set(`${pod}.${list}.${field}`, { key });
  }
  return Object.fromEntries(rules);
}
