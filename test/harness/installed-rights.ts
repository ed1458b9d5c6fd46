import { createClusterClient } from '../../hack/demo/cluster-client.ts';
import { createServiceAccount } from '../../hack/demo/service-account.ts';
import type { DevCluster } from '../../hack/dev-cluster/dev-cluster.ts';

/**
 * A kubeconfig of the service's own account, with the rights of an installation: whatever the service requests beyond
 * them fails the test that makes it do so.
 */
export function withInstalledRights(dev: DevCluster, server: string): Promise<string> {
  return createServiceAccount(createClusterClient(dev.url, dev.adminToken), server);
}
