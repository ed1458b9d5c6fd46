import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { parseManifests, readRendered, type Manifest } from '../manifests/rendered.ts';

/** One rule of a role, as the cluster has it. */
export interface RightsRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  /** Absent: objects of every name. */
  readonly resourceNames?: readonly string[];
}

const RIGHTS_KINDS = ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'];
const RESTART = new URL('../../kustomize/components/restart-rights/rules.yaml', import.meta.url);

const INSTALLED = parseManifests(readRendered('manifests/install.yaml'));

/** Roles and bindings exactly as an installation gets them, so that development and tests run with no other rights. */
export const RIGHTS: readonly Manifest[] = INSTALLED.filter(({ kind }) => RIGHTS_KINDS.includes(kind));

/** What the service may do in every namespace. */
export const SERVICE_RULES = rulesOf('ClusterRole');

/** What it may do in its own namespace: of the replicas, the one that holds the Lease keeps the history in order. */
export const LEADER_RULES = rulesOf('Role', 'secrets-management-service-leader');

/** What it needs beyond that to restart the workloads that use a Secret (SERVICE_RESTART_ENABLED). */
export const RESTART_RULES = (
  parse(readFileSync(RESTART, 'utf8')) as readonly { readonly value: RightsRule }[]
).map(({ value }) => value);

function rulesOf(kind: string, name?: string): readonly RightsRule[] {
  const role = INSTALLED.find(
    (object) => object.kind === kind && (name === undefined || object.metadata.name === name),
  );
  if (role === undefined) throw new Error(`manifests/install.yaml holds no ${kind}`);
  return role['rules'] as readonly RightsRule[];
}
