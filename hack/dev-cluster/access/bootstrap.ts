import { type JsonObject } from '../json/json.ts';
import { type Kind } from '../kinds/kind.ts';
import { NAMESPACE } from '../kinds/namespace.ts';
import { CLUSTER_ROLE, CLUSTER_ROLE_BINDING, RBAC_GROUP } from '../kinds/roles.ts';
import { AUTHENTICATED, MASTERS } from './user.ts';

const NAMESPACES = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

const DISCOVERY_PATHS = [
  ...['/api', '/api/*', '/apis', '/apis/*', '/openapi', '/openapi/*', '/version', '/version/'],
  ...['/healthz', '/livez', '/readyz'],
];

/** Roles that every cluster comes with, and the group that each is bound to. */
const ROLES: readonly {
  readonly name: string;
  readonly group: string;
  readonly rules: readonly JsonObject[];
}[] = [
  {
    name: 'cluster-admin',
    group: MASTERS,
    rules: [
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      { verbs: ['*'], nonResourceURLs: ['*'] },
    ],
  },
  {
    name: 'system:basic-user',
    group: AUTHENTICATED,
    rules: [
      {
        verbs: ['create'],
        apiGroups: ['authorization.k8s.io'],
        resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
      },
      { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] },
    ],
  },
  {
    name: 'system:discovery',
    group: AUTHENTICATED,
    rules: [{ verbs: ['get'], nonResourceURLs: DISCOVERY_PATHS }],
  },
];

/** What a cluster holds from its first moment: its own namespaces, and what everyone may do. */
export function bootstrapObjects(): readonly (readonly [Kind, JsonObject])[] {
  return [
    ...NAMESPACES.map((name) => [NAMESPACE, { metadata: { name } }] as const),
    ...ROLES.map(({ name, rules }) => [CLUSTER_ROLE, { metadata: { name }, rules }] as const),
    ...ROLES.map(({ name, group }) => [CLUSTER_ROLE_BINDING, bindingOf(name, group)] as const),
  ];
}

function bindingOf(role: string, group: string): JsonObject {
  return {
    metadata: { name: role },
    subjects: [{ kind: 'Group', apiGroup: RBAC_GROUP, name: group }],
    roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name: role },
  };
}
