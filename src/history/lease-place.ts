import { createHash } from 'node:crypto';

/** Where the service runs. */
export interface Home {
  /** The namespace of the pod, or of the kubeconfig's context. */
  readonly namespace: string | undefined;
  readonly inCluster: boolean;
}

/**
 * The Lease that the replicas of one installation share: in the pod's own namespace; outside a cluster in the first
 * namespace of the scope, where the service has permissions, or in the context's.
 * @param named the namespaces that the scope names; undefined for all
 */
export function leasePlace(
  named: readonly string[] | undefined,
  { namespace, inCluster }: Home,
): { readonly namespace: string; readonly name: string } {
  const own = inCluster ? namespace : undefined;
  return { namespace: own ?? named?.[0] ?? namespace ?? 'default', name: leaseName(named) };
}

/**
 * Installations with different scopes do not share a Lease. Installations with different annotation prefixes do, since
 * the Lease records the prefix. The first item is the name that Leases have had since the first release.
 */
function leaseName(named: readonly string[] | undefined): string {
  const scope = JSON.stringify(['service.io', named ?? null]);
  return `secrets-management-service-history-${createHash('sha256').update(scope).digest('hex').slice(0, 8)}`;
}
