import { kubeconfigOf } from '../kubeconfig.ts';
import type { Manifest } from '../manifests/rendered.ts';
import type { ClusterClient } from './cluster-client.ts';
import { RESTART_RULES, RIGHTS, type RightsRule } from './rights.ts';

const NAMESPACE = 'secrets-management';
const ACCOUNT = 'secrets-management-service';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const TOKEN_SECONDS = 7 * 24 * 60 * 60;

/** The account's user name in the cluster. */
export const SERVICE_USER = `system:serviceaccount:${NAMESPACE}:${ACCOUNT}`;

/**
 * Creates the service's own account with its rights, so that development runs under the same restrictions
 * as a real installation.
 * @returns a kubeconfig with a token of that account
 */
export async function createServiceAccount(cluster: ClusterClient, server: string): Promise<string> {
  await ensureAccount(cluster);
  for (const object of RIGHTS) await putRights(cluster, withRestart(object));
  return kubeconfig(server, await requestToken(cluster), NAMESPACE);
}

/** Gives the account in another namespace what it may do in its own: outside a pod, the Lease is in the first of the scope. */
export async function putOwnRights(cluster: ClusterClient, namespace: string): Promise<void> {
  for (const object of RIGHTS) {
    const { metadata } = object;
    if (metadata.namespace !== undefined)
      await putRights(cluster, { ...object, metadata: { ...metadata, namespace } });
  }
}

/** Creates the account with no rights. */
export async function ensureAccount(cluster: ClusterClient): Promise<void> {
  await cluster.ensure('/api/v1/namespaces', { metadata: { name: NAMESPACE } });
  await cluster.ensure(`/api/v1/namespaces/${NAMESPACE}/serviceaccounts`, { metadata: { name: ACCOUNT } });
}

/** Puts a role or a binding in place of what an earlier run may have left. */
export async function putRights(cluster: ClusterClient, object: Manifest): Promise<void> {
  const { name, namespace } = object.metadata;
  const place = namespace === undefined ? '' : `/namespaces/${namespace}`;
  await cluster.put(`${RBAC}${place}/${object.kind.toLowerCase()}s/${name}`, object);
}

/** @returns a token of the account, from an account that exists */
export async function requestToken(cluster: ClusterClient): Promise<string> {
  const answer = await cluster.post(`/api/v1/namespaces/${NAMESPACE}/serviceaccounts/${ACCOUNT}/token`, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: TOKEN_SECONDS },
  });
  return (answer as { status: { token: string } }).status.token;
}

function withRestart(object: Manifest): Manifest {
  if (object.kind !== 'ClusterRole') return object;
  return { ...object, rules: [...(object['rules'] as readonly RightsRule[]), ...RESTART_RULES] };
}

export function kubeconfig(server: string, token: string, namespace?: string, name = 'development'): string {
  return kubeconfigOf({ name, cluster: { server }, user: { token }, namespace });
}
