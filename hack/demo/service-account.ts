import type { ClusterClient } from './cluster-client.ts';
import { SERVICE_RULES } from './rights.ts';

const NAMESPACE = 'secrets-management-service';
const ACCOUNT = 'secrets-management-service';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const TOKEN_SECONDS = 7 * 24 * 60 * 60;

/**
 * Creates the service's own account with its rights, so that development runs under the same restrictions
 * as a real installation.
 * @returns a kubeconfig with a token of that account
 */
export async function createServiceAccount(cluster: ClusterClient, server: string): Promise<string> {
  await cluster.ensure('/api/v1/namespaces', { metadata: { name: NAMESPACE } });
  await cluster.ensure(`/api/v1/namespaces/${NAMESPACE}/serviceaccounts`, { metadata: { name: ACCOUNT } });
  await cluster.ensure(`${RBAC}/clusterroles`, { metadata: { name: ACCOUNT }, rules: SERVICE_RULES });
  await cluster.ensure(`${RBAC}/clusterrolebindings`, {
    metadata: { name: ACCOUNT },
    subjects: [{ kind: 'ServiceAccount', name: ACCOUNT, namespace: NAMESPACE }],
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: ACCOUNT },
  });
  const answer = await cluster.post(`/api/v1/namespaces/${NAMESPACE}/serviceaccounts/${ACCOUNT}/token`, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: TOKEN_SECONDS },
  });
  return kubeconfig(server, (answer as { status: { token: string } }).status.token);
}

/** JSON is YAML, so kubectl and the service read it alike. */
export function kubeconfig(server: string, token: string): string {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'development',
    contexts: [{ name: 'development', context: { cluster: 'development', user: 'service' } }],
    clusters: [{ name: 'development', cluster: { server } }],
    users: [{ name: 'service', user: { token } }],
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}
