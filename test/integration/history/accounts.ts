import { createClusterClient } from '../../../hack/demo/cluster-client.ts';
import { LEADER_RULES, SERVICE_RULES } from '../../../hack/demo/rights.ts';
import { kubeconfig } from '../../../hack/demo/service-account.ts';
import type { DevCluster } from '../../../hack/dev-cluster/dev-cluster.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';

/** The user name of an account in the cluster. */
export const userOf = (account: string): string => `system:serviceaccount:default:${account}`;

/** An account with the service's rights, so that the request log distinguishes replicas. @returns its kubeconfig */
export async function createAccount({ url, adminToken }: DevCluster, account: string): Promise<string> {
  const cluster = createClusterClient(url, adminToken);
  await cluster.ensure('/api/v1/namespaces', { metadata: { name: 'default' } });
  await cluster.ensure('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: account } });
  const rules = [...SERVICE_RULES, ...LEADER_RULES];
  await cluster.ensure(`${RBAC}/clusterroles`, { metadata: { name: account }, rules });
  await cluster.ensure(`${RBAC}/clusterrolebindings`, {
    metadata: { name: account },
    subjects: [{ kind: 'ServiceAccount', name: account, namespace: 'default' }],
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: account },
  });
  const answer = await cluster.post(`/api/v1/namespaces/default/serviceaccounts/${account}/token`, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: 3_600 },
  });
  return kubeconfig(url, (answer as { status: { token: string } }).status.token);
}
