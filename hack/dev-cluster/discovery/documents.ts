import { textAt, type Json, type JsonObject } from '../json/json.ts';
import { apiVersionOf, type Kind } from '../kinds/kind.ts';
import { KINDS } from '../kinds/registry.ts';

const VERSION: JsonObject = {
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: 'v1.36.2',
  gitCommit: '$Format:%H$',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: 'go1.26.10',
  compiler: 'gc',
  platform: 'linux/amd64',
};

/** The named groups in the order in which the cluster prefers them. */
const GROUPS = ['apps', 'authorization.k8s.io', 'batch', 'rbac.authorization.k8s.io', 'coordination.k8s.io'];

const TOKENS: JsonObject = {
  name: 'serviceaccounts/token',
  singularName: '',
  namespaced: true,
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'TokenRequest',
  verbs: ['create'],
};
const ACCESS_REVIEWS: JsonObject = {
  name: 'selfsubjectaccessreviews',
  singularName: 'selfsubjectaccessreview',
  namespaced: false,
  kind: 'SelfSubjectAccessReview',
  verbs: ['create'],
};

/** The documents by which clients find out what the cluster offers, by path. */
export function discoveryDocuments(): ReadonlyMap<string, Json> {
  const groups = GROUPS.map(groupOf);
  return new Map<string, Json>([
    ['/version', VERSION],
    ['/api', { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] }],
    ['/apis', { kind: 'APIGroupList', apiVersion: 'v1', groups }],
    ...groups.map(
      (group) => [`/apis/${group.name}`, { kind: 'APIGroup', apiVersion: 'v1', ...group }] as const,
    ),
    ['/api/v1', { kind: 'APIResourceList', groupVersion: 'v1', resources: resourcesOf('', [TOKENS]) }],
    ...GROUPS.map((group) => [`/apis/${group}/v1`, resourceList(group)] as const),
  ]);
}

function groupOf(name: string) {
  const version = { groupVersion: `${name}/v1`, version: 'v1' };
  return { name, versions: [version], preferredVersion: version };
}

function resourceList(group: string): Json {
  const extra = group === 'authorization.k8s.io' ? [ACCESS_REVIEWS] : [];
  const resources = resourcesOf(group, extra);
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: `${group}/v1`, resources };
}

function resourcesOf(group: string, extra: readonly JsonObject[]): readonly JsonObject[] {
  return [...KINDS.filter((kind) => kind.group === group).map(resourceEntry), ...extra].toSorted((a, b) =>
    textAt(a, 'name') < textAt(b, 'name') ? -1 : 1,
  );
}

function resourceEntry(kind: Kind): JsonObject {
  const collection = kind.noCollectionDelete === true ? [] : ['deletecollection'];
  return {
    name: kind.resource,
    singularName: kind.kind.toLowerCase(),
    namespaced: kind.namespaced,
    kind: kind.kind,
    verbs: ['create', 'delete', ...collection, 'get', 'list', 'patch', 'update', 'watch'],
    ...(kind.shortNames === undefined ? {} : { shortNames: [...kind.shortNames] }),
    ...(kind.categories === undefined ? {} : { categories: [...kind.categories] }),
  };
}

/** All group versions that have resources, as in apiVersion. */
export function groupVersions(): readonly string[] {
  return [...new Set(KINDS.map(apiVersionOf))];
}
