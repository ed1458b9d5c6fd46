import { readFileSync, statSync } from 'node:fs';
import { findKustomize, NO_KUBECTL } from '../manifests/kustomize.ts';
import { parseManifests, type Manifest } from '../manifests/rendered.ts';
import type { ClusterApi } from './cluster-api.ts';
import { accountOf, createObjects, createRights, createSigningKey, RIGHTS } from './installation.ts';
import type { KnownKinds } from './kinds.ts';
import type { ManifestSet } from './manifest-sets.ts';
import { podEnvironment } from './pod-environment.ts';

/**
 * An overlay as its operator has it: a folder that kubectl renders, or a file of rendered objects.
 * @throws where there is no such thing, or no kubectl to render a folder
 */
export function overlaySet(place: string): ManifestSet {
  const text = statSync(place).isDirectory() ? rendered(place) : readFileSync(place, 'utf8');
  // An object with this annotation is for kustomize alone, which kubectl apply -k leaves out, too.
  const manifests = parseManifests(text).filter((one) => !isLocal(one));
  return { source: place, manifests };
}

function rendered(folder: string): string {
  const kustomize = findKustomize();
  if (kustomize === undefined) throw new Error(NO_KUBECTL);
  return kustomize(folder);
}

function isLocal({ metadata }: Manifest): boolean {
  const { annotations } = metadata as { readonly annotations?: Readonly<Record<string, string>> };
  return annotations?.['config.kubernetes.io/local-config'] === 'true';
}

/**
 * Creates the objects of an overlay, whose namespaces must be there, and the Secret that no manifest has. The Deployment
 * has no replicas: its image may be anywhere, and the service under test runs from source.
 * @returns the environment that its pods would have
 */
export async function installOverlay(
  cluster: ClusterApi,
  kinds: KnownKinds,
  manifests: readonly Manifest[],
): Promise<Readonly<Record<string, string>>> {
  const { namespace } = accountOf(manifests);
  await createSigningKey(cluster, namespace);
  await createRights(cluster, kinds, manifests);
  const deployments: Manifest[] = [];
  for (const manifest of manifests) {
    if (manifest.kind === 'Namespace' || isRight(manifest)) continue;
    // The dry run has named the kinds that this cluster does not know.
    if ((await kinds.collectionOf(manifest)) === undefined) continue;
    const isDeployment = manifest.kind === 'Deployment';
    if (isDeployment) deployments.push(manifest);
    await createObjects(cluster, kinds, [isDeployment ? withoutPods(manifest) : manifest]);
  }
  const [deployment] = deployments;
  if (deployment === undefined) throw new Error('the overlay has no Deployment');
  return podEnvironment(cluster, deployment);
}

function isRight({ kind }: Manifest): boolean {
  return RIGHTS.some((right) => right === kind);
}

function withoutPods(deployment: Manifest): Manifest {
  return { ...deployment, spec: { ...(deployment['spec'] as object), replicas: 0 } };
}
