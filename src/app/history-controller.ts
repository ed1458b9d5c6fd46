import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { createHistoryIndex } from '../caches/history-index.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { createSecretMetadataStore } from '../cluster/stores/secret-metadata.ts';
import type { Settings } from '../config/settings.ts';
import { runController } from '../controller/controller.ts';
import { createLeaderElector, type LeaderElector } from '../controller/leader-election.ts';
import type { LeaseStore } from '../kube/lease.ts';
import { createWorkQueue, type WorkQueue } from '../controller/work-queue.ts';
import { PREFIX_RECORD } from '../history/prefix-record.ts';
import {
  createHistoryReconcile,
  keyOf,
  partsOf,
  RECONCILE_LIMITS,
  type HistoryReconcile,
  type IndexedSecret,
  type ReconcilerObserver,
  type SnapshotStatistics,
} from '../history/reconciler/reconcile.ts';
import type { HistoryIndex } from '../history/history.ts';
import type { AnnotationCodec } from '../kube/annotation-codec.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Tracing } from '../observability/tracing/tracing.ts';
import { systemClock } from '../timing/clock.ts';
import { createEventLoopYielder } from '../timing/event-loop-yielder.ts';
import { backgroundComponent, type BackgroundTask } from './components.ts';
import type { Component } from './lifecycle.ts';
import type { PrefixGuard } from './prefix-guard.ts';
import type { SecretRecordChange, SecretsWatch } from './secrets-watch.ts';

export interface HistoryControllerOptions {
  readonly settings: Settings;
  readonly secrets: SecretsWatch;
  readonly cluster: Pick<Cluster, 'gateway'>;
  readonly codec: AnnotationCodec;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing | undefined;
  readonly lease: LeaseStore;
  /** Nothing is written before it has settled. */
  readonly prefix: Pick<PrefixGuard, 'whenSettled'>;
}

export interface HistoryController {
  readonly component: Component;
  readonly index: HistoryIndex;
}

/** The queue of the current term; undefined while another replica is the leader. */
interface Term {
  queue: WorkQueue | undefined;
}

/**
 * The controller that reconciles history. Every replica watches; the leader reconciles. The start does not wait for the
 * cluster; the controller retries while the cluster is unreachable.
 */
export function createHistoryController(given: HistoryControllerOptions): HistoryController {
  const options = { ...given, logger: given.logger.with({ component: 'history' }) };
  const { secrets, prefix, metrics } = options;
  const term: Term = { queue: undefined };
  const watched = watchedHistory(secrets);
  secrets.onChange((change) => {
    // A live Secret without history needs no reconcile.
    for (const key of keysOf(change)) if (watched.hasHistory(key)) term.queue?.add(key);
  });
  const elector = electLeader(options, watched, term);
  exposeMetrics(metrics, watched, term);
  const tasks: readonly BackgroundTask[] = [(signal) => elector.run(signal)];
  return {
    component: backgroundComponent('history', tasks.map(prefix.whenSettled)),
    index: createHistoryIndex({
      reflectorOf: (namespace) => secrets.all.of(namespace),
      clock: systemClock,
    }),
  };
}

/** The history objects of all Secrets in scope, grouped by the UID of the live Secret. */
interface WatchedHistory {
  /** The live Secret and its history objects. */
  readonly group: (key: string) => readonly IndexedSecret[];
  readonly hasHistory: (key: string) => boolean;
  /** Keys of groups with history. */
  readonly keys: () => Iterable<string>;
  /** Kept as objects change: reading it costs nothing. */
  readonly statistics: () => SnapshotStatistics;
}

function watchedHistory({ all: reflectors }: Pick<SecretsWatch, 'all'>): WatchedHistory {
  const historyFor = (key: string) => reflectors.of(partsOf(key).namespace)?.objects.history;
  const total = (state: keyof SnapshotStatistics): number =>
    reflectors.all.reduce((sum, { objects }) => sum + objects.history.statistics()[state], 0);
  return {
    group: (key) => historyFor(key)?.group(key) ?? [],
    hasHistory: (key) => (historyFor(key)?.of(key).length ?? 0) > 0,
    keys: function* () {
      for (const { objects } of reflectors.all) yield* objects.history.keys();
    },
    statistics: () => ({
      bound: total('bound'),
      orphaned: total('orphaned'),
      inconsistent: total('inconsistent'),
    }),
  };
}

function keysOf(change: SecretRecordChange): ReadonlySet<string> {
  const values = change.kind === 'deleted' ? [change.previous] : [change.value, change.previous];
  return new Set(values.flatMap((value) => (value === undefined ? [] : [keyOf(value)])));
}

function electLeader(options: HistoryControllerOptions, watched: WatchedHistory, term: Term): LeaderElector {
  const { settings, lease, logger, metrics } = options;
  let isPermissionWarned = false;
  const elector: LeaderElector = createLeaderElector({
    lease,
    annotations: new Map([[PREFIX_RECORD, settings.secrets.annotationPrefix]]),
    identity: `${hostname()}_${randomUUID()}`,
    onStartedLeading: async (signal) => {
      isPermissionWarned = false;
      metrics.set('service_leader', true);
      logger.info('acquired lease');
      await reconcileDuring(signal);
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
  const reconcile = createReconcile(options, watched, () => elector.remainingMs());
  const reconcileDuring = async (signal: AbortSignal): Promise<void> => {
    const queue = createWorkQueue({ clock: systemClock, random: Math.random }, signal);
    term.queue = queue;
    const added = addInSlices(queue, watched.keys(), signal);
    await runController(
      {
        queue,
        reconcile,
        ...RECONCILE_LIMITS,
        observe: (outcome, seconds) => {
          metrics.inc('service_reconcile_total', { outcome });
          metrics.observe('service_reconcile_duration_seconds', seconds);
        },
        fieldsOf: partsOf,
        logger,
        tracing: options.tracing,
        clock: systemClock,
      },
      signal,
    );
    await added;
    term.queue = undefined;
  };
  return elector;
}

/** There may be as many keys as Secrets. */
async function addInSlices(queue: WorkQueue, keys: Iterable<string>, signal: AbortSignal): Promise<void> {
  const yielder = createEventLoopYielder();
  for (const key of keys) {
    if (signal.aborted) return;
    queue.add(key);
    if (yielder.isDue()) await yielder.yieldNow();
  }
}

function createReconcile(
  { settings, cluster, codec, logger, metrics }: HistoryControllerOptions,
  watched: WatchedHistory,
  remainingMs: () => number,
): HistoryReconcile {
  const { historyLimit, orphanTtlMs } = settings.secrets;
  return createHistoryReconcile({
    codec,
    limit: historyLimit,
    orphanTtlMs,
    indexed: watched.group,
    store: createSecretMetadataStore(cluster.gateway, codec),
    remainingMs,
    observer: createObserver(logger, metrics),
    clusterNow: cluster.gateway.serverNow,
    wallNow: systemClock.wallNow,
  });
}

function createObserver(logger: Logger, metrics: Metrics): ReconcilerObserver {
  return {
    inconsistent: ({ namespace, name, uid, resourceVersion }, violation) => {
      const fields = { namespace, name, uid, revision: resourceVersion, problem: violation };
      logger.warn('inconsistent history object', fields);
    },
    stepDone: (step, { namespace, name, uid }) => {
      metrics.inc('service_history_steps_total', { step });
      logger.info('reconciled history object', { step, namespace, name, uid });
    },
    stepFailed: (step, { namespace, name, uid }, reason) => {
      logger.warn('cannot reconcile history object', { step, namespace, name, uid, reason });
    },
    clocksDisagree: () => {
      logger.warn('cluster time and local clock disagree');
    },
    expiryPostponed: () => {
      metrics.inc('service_history_expiry_postponed_total');
    },
  };
}

function exposeMetrics(metrics: Metrics, watched: WatchedHistory, term: Term): void {
  metrics.set('service_leader', false);
  metrics.onExpose(() => {
    const { bound, orphaned, inconsistent } = watched.statistics();
    metrics.set('service_history_snapshots', bound, { state: 'bound' });
    metrics.set('service_history_snapshots', orphaned, { state: 'orphaned' });
    metrics.set('service_history_snapshots', inconsistent, { state: 'inconsistent' });
    metrics.set('service_reconcile_queue_depth', term.queue?.depth ?? 0);
    metrics.set('service_reconcile_queue_age_seconds', (term.queue?.oldestAgeMs() ?? 0) / 1_000);
  });
}
