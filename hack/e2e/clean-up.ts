import type { ClusterApi } from './cluster-api.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const GATEWAY_API = '/apis/gateway.networking.k8s.io/v1';
/** Outside of namespaces, a binding before its role. */
const OUTSIDE = [`${RBAC}/clusterrolebindings`, `${RBAC}/clusterroles`, `${GATEWAY_API}/gatewayclasses`];
/** What a run leaves in its namespaces. A bare API has no controllers that would remove it. */
const CONTENTS = [
  ...['secrets', 'configmaps', 'serviceaccounts'].map((plural) => ['/api/v1', plural] as const),
  ...['rolebindings', 'roles'].map((plural) => [RBAC, plural] as const),
  ['/apis/coordination.k8s.io/v1', 'leases'] as const,
  ['/apis/apps/v1', 'deployments'] as const,
  ['/apis/policy/v1', 'poddisruptionbudgets'] as const,
  ...['ingresses', 'networkpolicies'].map((plural) => ['/apis/networking.k8s.io/v1', plural] as const),
  ['/apis/autoscaling/v2', 'horizontalpodautoscalers'] as const,
  ...['httproutes', 'gateways'].map((plural) => [GATEWAY_API, plural] as const),
  ['/apis/gateway.envoyproxy.io/v1alpha1', 'envoyproxies'] as const,
];

interface Named {
  readonly metadata: { readonly name: string; readonly finalizers?: readonly string[] };
}

/**
 * Removes everything that carries the run's name. It waits for nothing: a namespace may take its time to go, where
 * something finalizes it, and stay permanently where nothing does.
 * @returns what could not be removed, in words
 */
export async function cleanUp(cluster: ClusterApi, run: string): Promise<readonly string[]> {
  const left: string[] = [];
  const remove = async (path: string): Promise<void> => {
    const { status } = await cluster.send('DELETE', path);
    if (status >= 300 && status !== 404) left.push(`DELETE ${path} was answered ${status}`);
  };
  for (const path of OUTSIDE) {
    for (const name of await ofRun(cluster, path, run)) await remove(`${path}/${name}`);
  }
  for (const namespace of await namespacesOf(cluster, run)) {
    for (const [api, plural] of CONTENTS) await remove(`${api}/namespaces/${namespace}/${plural}`);
    await releaseSecrets(cluster, namespace);
    await remove(`/api/v1/namespaces/${namespace}`);
  }
  return left;
}

/** A test that failed half-way may have left a Secret with a finalizer that nothing else removes. */
async function releaseSecrets(cluster: ClusterApi, namespace: string): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/secrets`;
  const { items } = (await cluster.insist('GET', path)) as { readonly items: readonly Named[] };
  for (const { metadata } of items)
    if (metadata.finalizers !== undefined)
      await cluster.send('PATCH', `${path}/${metadata.name}`, { metadata: { finalizers: null } });
}

/** The names of the run's namespaces. */
export function namespacesOf(cluster: ClusterApi, run: string): Promise<readonly string[]> {
  return ofRun(cluster, '/api/v1/namespaces', run);
}

async function ofRun(cluster: ClusterApi, path: string, run: string): Promise<readonly string[]> {
  if ((await cluster.send('GET', `${path}?limit=1`)).status === 404) return []; // a kind that this cluster does not have
  const { items } = (await cluster.insist('GET', path)) as { readonly items: readonly Named[] };
  return items.map(({ metadata }) => metadata.name).filter((name) => name.startsWith(`${run}-`));
}
