import { readFileSync } from 'node:fs';
import { findKubeconfig } from '../../src/cluster/credentials/kubeconfig.ts';
import { kubeconfigOf } from '../kubeconfig.ts';
import type { ClusterApi } from './cluster-api.ts';

const TOKEN_SECONDS = 3_600;

/**
 * A kubeconfig that reaches the same cluster with a fresh token of a service account, and with nothing else.
 * @param adminKubeconfig the file whose cluster it is; its credentials are not taken over
 */
export async function accountKubeconfig(
  cluster: ClusterApi,
  adminKubeconfig: string,
  account: { readonly namespace: string; readonly name: string },
): Promise<string> {
  const { namespace, name } = account;
  const answer = await cluster.insist(
    'POST',
    `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`,
    {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: TOKEN_SECONDS },
    },
  );
  const { token } = (answer as { readonly status: { readonly token: string } }).status;
  // Named as the client library names the context of a pod: so the service takes the account's own namespace for its
  // Lease, as it does when it is installed.
  return kubeconfigOf({
    name: 'inClusterContext',
    cluster: addressIn(adminKubeconfig),
    user: { token },
    namespace,
  });
}

function addressIn(kubeconfigFile: string) {
  const cluster = findKubeconfig({ kubeconfig: kubeconfigFile }).getCurrentCluster();
  if (cluster === null) throw new Error('the kubeconfig selects no cluster');
  const ca =
    cluster.caData ?? (cluster.caFile === undefined ? undefined : readFileSync(cluster.caFile, 'base64'));
  return {
    server: cluster.server,
    ...(ca === undefined ? {} : { 'certificate-authority-data': ca }),
    ...(cluster.skipTLSVerify ? { 'insecure-skip-tls-verify': true } : {}),
    ...(cluster.tlsServerName === undefined ? {} : { 'tls-server-name': cluster.tlsServerName }),
    ...(cluster.proxyUrl === undefined ? {} : { 'proxy-url': cluster.proxyUrl }),
  };
}
