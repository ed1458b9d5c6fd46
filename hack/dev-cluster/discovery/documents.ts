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

/** The named groups, each with its version, in the order in which the cluster prefers them. */
const GROUPS = [
  ...['apps/v1', 'authorization.k8s.io/v1', 'autoscaling/v2', 'batch/v1', 'networking.k8s.io/v1'],
  ...['policy/v1', 'rbac.authorization.k8s.io/v1', 'coordination.k8s.io/v1'],
  ...['gateway.envoyproxy.io/v1alpha1', 'gateway.networking.k8s.io/v1'],
];

const TOKENS: JsonObject = {
  name: 'serviceaccounts/token',
  singularName: '',
  namespaced: true,
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'TokenRequest',
  verbs: ['create'],
};
const ACCESS_REVIEWS: readonly JsonObject[] = [
  'SelfSubjectAccessReview',
  'SelfSubjectRulesReview',
  'SubjectAccessReview',
].map((kind) => ({
  name: `${kind.toLowerCase()}s`,
  singularName: kind.toLowerCase(),
  namespaced: false,
  kind,
  verbs: ['create'],
}));

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
    ...GROUPS.map((groupVersion) => [`/apis/${groupVersion}`, resourceList(groupVersion)] as const),
  ]);
}

function groupOf(groupVersion: string) {
  const [name = '', ofGroup = ''] = groupVersion.split('/');
  const version = { groupVersion, version: ofGroup };
  return { name, versions: [version], preferredVersion: version };
}

function resourceList(groupVersion: string): Json {
  const [group = ''] = groupVersion.split('/');
  const extra = group === 'authorization.k8s.io' ? ACCESS_REVIEWS : [];
  const resources = resourcesOf(group, extra);
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources };
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
