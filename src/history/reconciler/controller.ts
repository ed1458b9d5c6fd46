import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { runController, type Reconcile } from '../../controller/controller.ts';
import { LeaderElector } from '../../controller/leader-election.ts';
import { WorkQueue } from '../../controller/work-queue.ts';
import type { LeaseStore } from '../../kube/lease.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { Tracing } from '../../observability/tracing.ts';
import { systemClock } from '../../timing/clock.ts';
import { createEventLoopYielder } from '../../timing/event-loop-yielder.ts';
import { recordsOf, type Installation } from '../installation/lease.ts';
import { createOtherInstallations, type OtherInstallations } from '../installation/other-installations.ts';
import { partsOf, type IndexedSecret, type SnapshotStatistics } from '../snapshot/indexed-secret.ts';
import { HistoryReconciler, type ReconcilerDependencies } from './reconcile.ts';

// What runs in the background enters the history here.
export { leaseOf, type Installation } from '../installation/lease.ts';
export { createPrefixGuard, type PrefixGuard } from '../installation/prefix-guard.ts';

/** How many keys are reconciled at once, and the time limit of one reconcile. */
const LIMITS = { workers: 2, budgetMs: 60_000 };

/** The history objects of all Secrets in scope, grouped by the UID of the live Secret. */
export interface WatchedHistory {
  /** The live Secret and its history objects. */
  readonly group: (key: string) => readonly IndexedSecret[];
  readonly hasHistory: (key: string) => boolean;
  /** Keys of groups with history. */
  readonly keys: () => Iterable<string>;
  /** Kept as objects change: reading it costs nothing. */
  readonly statistics: () => SnapshotStatistics;
}

export interface HistoryControllerOptions extends Pick<
  ReconcilerDependencies,
  'store' | 'codec' | 'orphanTtlMs' | 'clusterNow'
> {
  readonly watched: WatchedHistory;
  readonly installation: Installation;
  readonly lease: LeaseStore;
  /** Where the Lease is. */
  readonly ownLease: { readonly namespace: string; readonly name: string };
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing | undefined;
}

/** The controller that reconciles history. Every replica watches; the leader reconciles. */
export class HistoryController {
  readonly #options: HistoryControllerOptions;
  readonly #others: OtherInstallations;
  readonly #elector: LeaderElector;
  readonly #reconciler: HistoryReconciler;
  /** Of the current term; undefined while another replica is the leader. */
  #queue: WorkQueue | undefined;
  #isPermissionWarned = false;

  constructor(options: HistoryControllerOptions) {
    const { watched, installation, lease, ownLease, logger, metrics } = options;
    this.#options = options;
    this.#others = createOtherInstallations({
      own: installation,
      ownLease,
      lease,
      onChange: () => {
        if (this.#queue !== undefined) void addInSlices(this.#queue, watched.keys());
      },
      logger,
      clock: systemClock,
    });
    this.#elector = new LeaderElector({
      lease,
      annotationsOf: (recorded) => recordsOf(installation, recorded),
      identity: `${hostname()}_${randomUUID()}`,
      onStartedLeading: (signal) => this.#onStartedLeading(signal),
      onStoppedLeading: () => {
        metrics.set('service_leader', false);
        logger.info('lost lease');
      },
      onFailure: (code, reason) => {
        const warns = code === 'rbacForbidden' && !this.#isPermissionWarned;
        logger[warns ? 'warn' : 'debug']('cannot acquire lease', { code, reason });
        this.#isPermissionWarned ||= warns;
      },
      clock: systemClock,
      random: Math.random,
    });
    this.#reconciler = new HistoryReconciler({
      ...options,
      limit: installation.limit,
      indexed: watched.group,
      remainingMs: () => this.#elector.remainingMs(),
      wallNow: systemClock.wallNow,
    });
    metrics.set('service_leader', false);
    metrics.onExpose(() => {
      this.#exposeMetrics();
    });
  }

  /** Contends for the Lease, and reconciles while it leads. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    await this.#others.look(signal);
    await Promise.all([this.#elector.run(signal), this.#others.follow(signal)]);
  }

  /** Something of these keys has changed. */
  changed(keys: Iterable<string>): void {
    // A live Secret without history needs no reconcile.
    for (const key of keys) if (this.#options.watched.hasHistory(key)) this.#queue?.add(key);
  }

  /** For `/readyz`. */
  notes(): readonly string[] {
    return this.#others.notes();
  }

  async #onStartedLeading(signal: AbortSignal): Promise<void> {
    const { watched, logger, metrics, tracing } = this.#options;
    this.#isPermissionWarned = false;
    metrics.set('service_leader', true);
    logger.info('acquired lease');
    const queue = new WorkQueue({ clock: systemClock, random: Math.random }, signal);
    this.#queue = queue;
    const added = addInSlices(queue, watched.keys(), signal);
    const controller = {
      queue,
      reconcile: this.#reconcile,
      ...LIMITS,
      observe: (outcome: string, seconds: number) => {
        metrics.inc('service_reconcile_total', { outcome });
        metrics.observe('service_reconcile_duration_seconds', seconds);
      },
      fieldsOf: partsOf,
      logger,
      tracing,
      clock: systemClock,
    };
    await runController(controller, signal);
    await added;
    this.#queue = undefined;
  }

  readonly #reconcile: Reconcile = async (key, deadline) => {
    // Once the other installation has ended, everything is queued again.
    if (this.#others.reconcile(partsOf(key).namespace)) return { kind: 'done' };
    return await this.#reconciler.reconcile(key, deadline);
  };

  #exposeMetrics(): void {
    const { metrics, watched } = this.#options;
    const statistics = watched.statistics();
    for (const state of ['bound', 'orphaned', 'inconsistent'] as const)
      metrics.set('service_history_snapshots', statistics[state], { state });
    metrics.set('service_reconcile_queue_depth', this.#queue?.depth ?? 0);
    metrics.set('service_reconcile_queue_age_seconds', (this.#queue?.oldestAgeMs() ?? 0) / 1_000);
  }
}

/** There may be as many keys as Secrets. */
async function addInSlices(queue: WorkQueue, keys: Iterable<string>, signal?: AbortSignal): Promise<void> {
  const yielder = createEventLoopYielder();
  for (const key of keys) {
    if (signal?.aborted === true) return;
    queue.add(key);
    if (yielder.isDue()) await yielder.yieldNow();
  }
}
