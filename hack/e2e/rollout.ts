import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterApi } from './cluster-api.ts';

interface Deployment {
  readonly metadata: { readonly generation?: number };
  readonly spec: { readonly replicas?: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly updatedReplicas?: number;
    readonly readyReplicas?: number;
    readonly replicas?: number;
  };
}

const EVERY_MS = 500;

/** Waits until all replicas of a Deployment are new and ready. @returns whether that came in time */
export async function waitForRollout(
  cluster: ClusterApi,
  namespace: string,
  name: string,
  timeoutMs: number,
): Promise<boolean> {
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments/${name}`;
  const end = performance.now() + timeoutMs;
  while (!isRolledOut((await cluster.insist('GET', path)) as Deployment)) {
    if (performance.now() >= end) return false;
    await sleep(EVERY_MS);
  }
  return true;
}

/** What `kubectl rollout status` looks at. */
export function isRolledOut({ metadata, spec, status = {} }: Deployment): boolean {
  const wanted = spec.replicas ?? 1;
  return (
    (status.observedGeneration ?? 0) >= (metadata.generation ?? 0) &&
    status.updatedReplicas === wanted &&
    status.readyReplicas === wanted &&
    status.replicas === wanted
  );
}
