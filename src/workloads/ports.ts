import type { Deadline } from '../timing/deadline.ts';
import type { Page, PageRequest } from '../kube/page.ts';

/** The kinds whose pods may use a Secret and that are looked at, in the order of lists. */
export const WORKLOAD_KINDS = ['CronJob', 'DaemonSet', 'Deployment', 'StatefulSet'] as const;

export type WorkloadKind = (typeof WORKLOAD_KINDS)[number];

export interface WorkloadRef {
  readonly kind: WorkloadKind;
  readonly namespace: string;
  readonly name: string;
}

/** Exactly one state of one workload. */
export interface WorkloadRevision extends WorkloadRef {
  readonly uid: string;
  /** Opaque; compared for equality only. */
  readonly resourceVersion: string;
}

/** A workload as the cluster holds it, as far as its restart needs it. */
export interface Workload extends WorkloadRevision {
  /** A paused Deployment does not roll out what is changed. */
  readonly paused: boolean;
  /** The spec of its pods, as the cluster's own JSON. It may hold values: nothing of it is ever logged or answered. */
  readonly podSpec: unknown;
}

/**
 * Where workloads are. Every method reads or writes live; failures are those of `SnapshotStore` in
 * src/history/ports.ts.
 */
export interface WorkloadStore {
  listPage(
    kind: WorkloadKind,
    namespace: string,
    page: PageRequest,
    deadline: Deadline,
  ): Promise<Page<Workload>>;
  /** Undefined when there is none of this name. */
  read(ref: WorkloadRef, deadline: Deadline): Promise<Workload | undefined>;
  /**
   * Stamps the pod template of exactly the revision that was read, so that its controller replaces the pods. A
   * changed or recreated workload answers `conflict`.
   */
  restart(workload: WorkloadRevision, at: Date, deadline: Deadline): Promise<void>;
}
