import { putRights } from '../../hack/demo/service-account.ts';
import { parseManifests, readRendered } from '../../hack/manifests/rendered.ts';
import { COMBINATIONS } from '../../hack/manifests/renderings.ts';
import type { ClusterClient } from '../../hack/demo/cluster-client.ts';

export const CLUSTER_ISSUER = 'https://kubernetes.default.svc.cluster.local';

/** A pod that runs with a service account of its own, and the token that the kubelet would give it. */
export async function startPod(
  cluster: ClusterClient,
  {
    namespace,
    name,
    audience,
  }: { readonly namespace: string; readonly name: string; readonly audience: string },
): Promise<{ readonly uid: string; readonly token: string }> {
  const place = `/api/v1/namespaces/${namespace}`;
  await cluster.ensure(`${place}/serviceaccounts`, { metadata: { name } });
  const pod = (await cluster.post(`${place}/pods`, {
    metadata: { name },
    spec: { serviceAccountName: name },
  })) as { readonly metadata: { readonly uid: string } };
  const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name };
  const review = (await cluster.post(`${place}/serviceaccounts/${name}/token`, {
    spec: { audiences: [audience], boundObjectRef },
  })) as { readonly status: { readonly token: string } };
  return { uid: pod.metadata.uid, token: review.status.token };
}

/** Gives the service what the component `token-review` gives it. */
export async function grantTokenReviews(cluster: ClusterClient): Promise<void> {
  const manifests = parseManifests(readRendered(COMBINATIONS.tokenReview.file));
  for (const object of manifests.filter(({ metadata }) => metadata.name.endsWith('-token-review')))
    await putRights(cluster, object);
}
