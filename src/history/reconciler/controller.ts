import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { runController, type Reconcile } from '../../controller/controller.ts';
import { LeaderElector } from '../../controller/leader-election.ts';
import { WorkQueue } from '../../controller/work-queue.ts';
import type { AnnotationCodec } from '../../kube/annotation-codec.ts';
import type { LeaseStore } from '../../kube/lease.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { Tracing } from '../../observability/tracing/tracing.ts';
import { systemClock } from '../../timing/clock.ts';
import { createEventLoopYielder } from '../../timing/event-loop-yielder.ts';
import { recordsOf, type Installation } from '../installation/lease.ts';
import { createOtherInstallations, type OtherInstallations } from '../installation/other-installations.ts';
import type { SecretMetadataStore } from '../ports.ts';
import { partsOf, type IndexedSecret, type SnapshotStatistics } from '../snapshot/indexed-secret.ts';
import { createHistoryReconcile } from './reconcile.ts';

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

export interface HistoryControllerOptions {
  readonly watched: WatchedHistory;
  readonly store: SecretMetadataStore;
  readonly codec: AnnotationCodec;
  readonly installation: Installation;
  readonly orphanTtlMs: number | undefined;
  readonly lease: LeaseStore;
  /** Where the Lease is. */
  readonly ownLease: { readonly namespace: string; readonly name: string };
  readonly clusterNow: () => number | undefined;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing | undefined;
}

/** The queue of the current term; undefined while another replica is the leader. */
interface Term {
  queue: WorkQueue | undefined;
}

/** The controller that reconciles history. Every replica watches; the leader reconciles. */
export function createHistoryController(options: HistoryControllerOptions) {
  const { watched, installation, lease, ownLease, logger } = options;
  const term: Term = { queue: undefined };
  const others = createOtherInstallations({
    own: installation,
    ownLease,
    lease,
    onChange: () => {
      if (term.queue !== undefined) void addInSlices(term.queue, watched.keys());
    },
    logger,
    clock: systemClock,
  });
  const elector = electLeader(options, others, term);
  exposeMetrics(options, term);
  return {
    /** Contends for the Lease, and reconciles while it leads. Never rejects. */
    run: async (signal: AbortSignal): Promise<void> => {
      await others.look(signal);
      await Promise.all([elector.run(signal), others.follow(signal)]);
    },
    /** Something of these keys has changed. */
    changed: (keys: Iterable<string>): void => {
      // A live Secret without history needs no reconcile.
      for (const key of keys) if (watched.hasHistory(key)) term.queue?.add(key);
    },
    /** For `/readyz`. */
    notes: others.notes,
  };
}

function electLeader(
  options: HistoryControllerOptions,
  others: OtherInstallations,
  term: Term,
): LeaderElector {
  const { installation, lease, logger, metrics } = options;
  let isPermissionWarned = false;
  const elector: LeaderElector = new LeaderElector({
    lease,
    annotationsOf: (recorded) => recordsOf(installation, recorded),
    identity: `${hostname()}_${randomUUID()}`,
    onStartedLeading: async (signal) => {
      isPermissionWarned = false;
      metrics.set('service_leader', true);
      logger.info('acquired lease');
      await reconcileDuring(options, reconcile, term, signal);
    },
    onStoppedLeading: () => {
      metrics.set('service_leader', false);
      logger.info('lost lease');
    },
    onFailure: (code, reason) => {
      const warns = code === 'rbacForbidden' && !isPermissionWarned;
      logger[warns ? 'warn' : 'debug']('cannot acquire lease', { code, reason });
      isPermissionWarned ||= warns;
    },
    clock: systemClock,
    random: Math.random,
  });
  const reconcileOwn = createHistoryReconcile({
    ...options,
    limit: installation.limit,
    indexed: options.watched.group,
    remainingMs: () => elector.remainingMs(),
    wallNow: systemClock.wallNow,
  });
  // Once the other installation has ended, everything is queued again.
  const reconcile: Reconcile = (key, deadline) =>
    others.reconcile(partsOf(key).namespace)
      ? Promise.resolve({ kind: 'done' })
      : reconcileOwn(key, deadline);
  return elector;
}

async function reconcileDuring(
  { watched, logger, metrics, tracing }: HistoryControllerOptions,
  reconcile: Reconcile,
  term: Term,
  signal: AbortSignal,
): Promise<void> {
  const queue = new WorkQueue({ clock: systemClock, random: Math.random }, signal);
  term.queue = queue;
  const added = addInSlices(queue, watched.keys(), signal);
  const controller = {
    queue,
    reconcile,
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
  term.queue = undefined;
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

function exposeMetrics({ metrics, watched }: HistoryControllerOptions, term: Term): void {
  metrics.set('service_leader', false);
  metrics.onExpose(() => {
    const statistics = watched.statistics();
    for (const state of ['bound', 'orphaned', 'inconsistent'] as const)
      metrics.set('service_history_snapshots', statistics[state], { state });
    metrics.set('service_reconcile_queue_depth', term.queue?.depth ?? 0);
    metrics.set('service_reconcile_queue_age_seconds', (term.queue?.oldestAgeMs() ?? 0) / 1_000);
  });
}
