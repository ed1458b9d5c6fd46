import type { Workload, WorkloadRevision } from './ports.ts';
import { usesOf, type Use } from './uses.ts';

/** A workload whose pods use a Secret, without its pod spec, which may contain values and is large. */
export interface Consumer extends WorkloadRevision {
  readonly paused: boolean;
  readonly uses: readonly Use[];
}

/** The workload as a consumer of a Secret. Without uses it is not a consumer. */
export function consumerOf(workload: Workload, secretName: string): Consumer {
  const { kind, namespace, name, uid, resourceVersion, paused, podSpec } = workload;
  return { kind, namespace, name, uid, resourceVersion, paused, uses: usesOf(podSpec, secretName) };
}
