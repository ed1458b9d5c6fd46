import type { Workload, WorkloadRevision } from './ports.ts';
import { usesOf, type Use } from './uses.ts';

/** A workload whose pods use a Secret, without its pod spec: that may hold values, and is large. */
export interface Consumer extends WorkloadRevision {
  readonly paused: boolean;
  readonly uses: readonly Use[];
}

/** The workload as a consumer of a Secret; without uses it is none. */
export function consumerOf(workload: Workload, secretName: string): Consumer {
  const { kind, namespace, name, uid, resourceVersion, paused, podSpec } = workload;
  return { kind, namespace, name, uid, resourceVersion, paused, uses: usesOf(podSpec, secretName) };
}
