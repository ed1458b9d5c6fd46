import { setTimeout as sleep } from 'node:timers/promises';
import type { Manifest } from '../manifests/rendered.ts';
import { RefusedByCluster, type ClusterApi } from './cluster-api.ts';

/** A possible action, as the cluster's access reviews name it. */
export interface Attributes {
  readonly verb: string;
  readonly resource: string;
  readonly group?: string;
  /** Absent for all namespaces. */
  readonly namespace?: string;
  /** Absent for objects of any name. */
  readonly name?: string;
}

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

const TIMEOUT_MS = 30_000;

/** Whether the cluster lets the user of this kubeconfig do it. */
export async function mayDo(asUser: ClusterApi, attributes: Attributes): Promise<boolean> {
  const answer = await asUser.insist('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: attributes },
  });
  return (answer as { readonly status: { readonly allowed: boolean } }).status.allowed;
}

/** Rules take effect a little after they were written. @throws when they have not after half a minute */
export async function untilRightsHold(asService: ClusterApi, manifests: readonly Manifest[]): Promise<void> {
  const end = performance.now() + TIMEOUT_MS;
  for (const attributes of manifests.flatMap(grantedBy)) {
    while (!(await mayDo(asService, attributes).catch(asNotYet))) {
      if (performance.now() >= end)
        throw new Error(`the right to ${attributes.verb} ${attributes.resource} does not take effect`);
      await sleep(50);
    }
  }
}

/** A cluster of several API servers may not know a new account everywhere at once. */
function asNotYet(error: unknown): false {
  if (!(error instanceof RefusedByCluster)) throw error;
  return false;
}

/** One right of each rule of a role stands for the rule. */
function grantedBy(manifest: Manifest): readonly Attributes[] {
  if (manifest.kind !== 'Role' && manifest.kind !== 'ClusterRole') return [];
  const { namespace } = manifest.metadata;
  return (manifest['rules'] as readonly Rule[]).map(({ apiGroups, resources, verbs, resourceNames }) => ({
    verb: verbs[0] ?? '',
    resource: resources[0] ?? '',
    group: apiGroups[0] ?? '',
    ...(namespace === undefined ? {} : { namespace }),
    ...(resourceNames?.[0] === undefined ? {} : { name: resourceNames[0] }),
  }));
}
