import type { Deadline } from '../timing/deadline.ts';
import type { Page, PageRequest } from '../kube/page.ts';
import type { Preconditions } from '../kube/secret.ts';

/** The kinds of workloads whose pods may use a Secret, in the order of lists. */
export const WORKLOAD_KINDS = ['CronJob', 'DaemonSet', 'Deployment', 'StatefulSet'] as const;

export type WorkloadKind = (typeof WORKLOAD_KINDS)[number];

export interface WorkloadRef {
  readonly kind: WorkloadKind;
  readonly namespace: string;
  readonly name: string;
}

/** Exactly one revision of one workload. */
export interface WorkloadRevision extends WorkloadRef, Preconditions {}

/** Why a rollout does not finish by itself. With `onDelete`, pods are replaced when someone deletes them. */
export const ROLLOUT_REASONS = ['progressDeadlineExceeded', 'onDelete'] as const;

export type RolloutReason = (typeof ROLLOUT_REASONS)[number];

/** How far the last change of a workload's pods is. */
export interface Rollout {
  /** Pods that are to be of the last change. */
  readonly desired: number;
  /** Pods that are; 0 until the controller has observed the change. */
  readonly updated: number;
  /** Pods that are available, of whatever change. */
  readonly available: number;
  readonly done: boolean;
  readonly reason?: RolloutReason;
}

/** A workload, with what its restart needs. */
export interface Workload extends WorkloadRevision {
  /** Undefined for a CronJob. */
  readonly rollout: Rollout | undefined;
  /** A paused Deployment does not roll out changes. */
  readonly paused: boolean;
  /** The spec of its pods, as the cluster's own JSON. It may contain values: nothing of it is logged or sent. */
  readonly podSpec: unknown;
}

/**
 * The store of workloads. Every method reads or writes live. Failures are those of `SnapshotStore` in
 * src/history/ports.ts.
 */
export interface WorkloadStore {
  listPage(
    kind: WorkloadKind,
    namespace: string,
    page: PageRequest,
    deadline: Deadline,
  ): Promise<Page<Workload>>;
  /** Undefined if there is none of this name. */
  read(ref: WorkloadRef, deadline: Deadline): Promise<Workload | undefined>;
  /**
   * Sets the restart annotation in the pod template of exactly the revision that was read, so that its controller
   * replaces the pods. A changed or recreated workload fails with `conflict`.
   */
  restart(workload: WorkloadRevision, at: Date, deadline: Deadline): Promise<void>;
}
