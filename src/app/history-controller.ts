import { createHash, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { NamespaceScope, WatchedPlace } from '../access/namespace-scope.ts';
import { systemClock } from '../timing/clock.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { ClusterHome } from '../cluster/credentials/credentials.ts';
import { createSecretMetadataStore, watchSecretMetadata } from '../cluster/stores/secret-metadata.ts';
import { watchObserver } from './watches.ts';
import type { PrefixGuard } from './prefix.ts';
import type { Settings } from '../config/settings.ts';
import type { AnnotationCodec } from '../kube/annotation-codec.ts';
import type { HistoryIndex } from '../history/history.ts';
import type { SecretMetadata } from '../kube/secret.ts';
import { PREFIX_RECORD } from '../history/prefix-record.ts';
import {
  type IndexedSecret,
  type ReconcilerObserver,
  createHistoryReconcile,
  keyOf,
  partsOf,
  snapshotStatistics,
  toIndexed,
} from '../history/reconciler/reconcile.ts';
import { createLeadership } from '../controller/leader-election.ts';
import type { LeaseStore } from '../history/reconciler/ports.ts';
import { checkCache, type CacheCheckOptions } from '../caches/cache-audit.ts';
import { runController } from '../controller/controller.ts';
import { createHistoryIndex } from '../caches/history-index.ts';
import type { Change } from '../informers/object-store.ts';
import { createReflector, type Reflector } from '../informers/reflector.ts';
import { createWorkQueue, type WorkQueue } from '../controller/work-queue.ts';
import type { Part } from './lifecycle.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';

/** The name under which this watch is measured. */
const INFORMER = 'history';
const NO_LEASE = 'the Lease could not be had: without it, this replica leaves the history alone';
const WORKERS = 2;
const RECONCILE_BUDGET_MS = 60_000;

export interface HistoryOptions {
  readonly settings: Settings;
  readonly scope: NamespaceScope;
  readonly cluster: Pick<Cluster, 'gateway' | 'home'>;
  readonly codec: AnnotationCodec;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly lease: LeaseStore;
  /** Nothing is watched or written before it has settled. */
  readonly prefix: Pick<PrefixGuard, 'settled'>;
}

export interface HistoryParts {
  readonly part: Part;
  /** What the watch knows, for updates. */
  readonly index: HistoryIndex;
}

/**
 * The part that keeps the history in order. Every replica watches; the one that holds the Lease works. Starting
 * waits for nothing: while the cluster cannot be reached, the service is live and this goes on trying.
 */
export function composeHistory(options: HistoryOptions): HistoryParts {
  const logger = options.logger.with({ component: 'history' });
  const stop = new AbortController();
  const work: { queue: WorkQueue | undefined } = { queue: undefined };
  const watches = watchHistory({ ...options, logger }, (key) => work.queue?.add(key));
  const leadership = contend({ ...options, logger }, watches, work);
  sampleMetrics(options.metrics, watches, work);
  let running: Promise<unknown> = Promise.resolve();
  const part: Part = {
    name: 'history',
    start: () => {
      running = options.prefix
        .settled(stop.signal)
        .then(() => Promise.all([leadership.run(stop.signal), ...watches.run(stop.signal)]));
      return Promise.resolve();
    },
    stop: async () => {
      stop.abort();
      await running;
    },
  };
  return { part, index: createHistoryIndex({ reflectorOf: watches.reflectorOf, clock: systemClock }) };
}

/** The Secrets in scope as metadata, in one watch or in one for each namespace that is named. */
interface Watches {
  readonly reflectorOf: (namespace: string) => Reflector<IndexedSecret> | undefined;
  /** Everything that is known under a key. */
  readonly indexed: (key: string) => readonly IndexedSecret[];
  /** Keys under which there is history. */
  keys(): readonly string[];
  groups(): readonly (readonly IndexedSecret[])[];
  /** One, or one for each namespace in scope. */
  readonly count: number;
  silenceMs(): number;
  run(signal: AbortSignal): readonly Promise<void>[];
}

function watchHistory(options: HistoryOptions, changed: (key: string) => void): Watches {
  const { scope, cluster, codec, metrics, logger } = options;
  const onChange = (change: Change<IndexedSecret>): void => {
    const values = change.kind === 'deleted' ? [change.previous] : [change.value, change.previous];
    const keys = values.flatMap((value) => (value === undefined ? [] : [keyOf(value)]));
    // Of live Secrets without history there is nothing to be done.
    for (const key of new Set(keys)) if (hasHistory(indexed(key))) changed(key);
  };
  const reflectorFor = (place: WatchedPlace): Reflector<IndexedSecret> =>
    createReflector({
      source: watchSecretMetadata(cluster.gateway, codec, place),
      project: toIndexed,
      index: keyOf,
      onChange,
      observer: watchObserver(INFORMER, metrics),
      logger,
      clock: systemClock,
      random: Math.random,
    });
  const byPlace = new Map(scope.places.map((place) => [place.namespace, reflectorFor(place)]));
  const reflectors = [...byPlace.values()];
  const reflectorOf = (namespace: string): Reflector<IndexedSecret> | undefined =>
    byPlace.get(undefined) ?? byPlace.get(namespace);
  const indexed = (key: string): readonly IndexedSecret[] =>
    reflectorOf(partsOf(key).namespace)?.objects.byIndex(key) ?? [];
  const keys = (): readonly string[] =>
    reflectors.flatMap(({ objects }) => [...objects.indexKeys()]).filter((key) => hasHistory(indexed(key)));
  return {
    reflectorOf,
    indexed,
    keys,
    groups: () => keys().map(indexed),
    count: reflectors.length,
    silenceMs: () => Math.max(...reflectors.map((reflector) => reflector.status().silenceMs)),
    run: (signal) =>
      scope.places.flatMap((place) => {
        const reflector = byPlace.get(place.namespace);
        if (reflector === undefined) return [];
        const check: CacheCheckOptions<SecretMetadata> = {
          reflector,
          metadata: watchSecretMetadata(cluster.gateway, codec, place),
          belongs: () => true,
          onResult: (result) => {
            metrics.lists.countCheck(INFORMER, result);
          },
          logger,
          clock: systemClock,
          random: Math.random,
        };
        return [reflector.run(signal), checkCache(check, signal)];
      }),
  };
}

function hasHistory(group: readonly IndexedSecret[]): boolean {
  return group.some(({ kind }) => kind === 'history');
}

function contend(options: HistoryOptions, watches: Watches, work: { queue: WorkQueue | undefined }) {
  const { settings, cluster, codec, logger, metrics } = options;
  const { annotationPrefix, historyLimit, orphanTtlMs } = settings.secrets;
  const reconcile = createHistoryReconcile({
    codec,
    limit: historyLimit,
    orphanTtlMs,
    indexed: watches.indexed,
    store: createSecretMetadataStore(cluster.gateway, codec),
    remainingMs: () => leadership.remainingMs(),
    observer: observerOf(logger, metrics),
    clusterNow: cluster.gateway.serverNow,
  });
  let told = false;
  const leadership = createLeadership({
    lease: options.lease,
    annotations: new Map([[PREFIX_RECORD, annotationPrefix]]),
    identity: `${hostname()}_${randomUUID()}`,
    lead: async (term) => {
      const queue = createWorkQueue({ clock: systemClock, random: Math.random }, term);
      work.queue = queue;
      for (const key of watches.keys()) queue.add(key);
      await runController(
        {
          queue,
          reconcile,
          workers: WORKERS,
          budgetMs: RECONCILE_BUDGET_MS,
          observe: (outcome, seconds) => {
            metrics.reconciler.observeReconcile(outcome, seconds);
          },
          fieldsOf: partsOf,
          logger,
          clock: systemClock,
        },
        term,
      );
      work.queue = undefined;
    },
    onFailure: (code, reason) => {
      logger[code === 'rightMissing' && !told ? 'warn' : 'debug'](NO_LEASE, { code, reason });
      told ||= code === 'rightMissing';
    },
    onChange: (leads) => {
      told = false;
      metrics.reconciler.setLeader(leads);
      logger.info(leads ? 'keeps the history in order from now on' : 'leaves the history to another replica');
    },
    clock: systemClock,
    random: Math.random,
  });
  return leadership;
}

function observerOf(logger: Logger, metrics: Metrics): ReconcilerObserver {
  return {
    inconsistent: ({ namespace, name, uid, resourceVersion }, violation) => {
      const fields = { namespace, name, uid, revision: resourceVersion, problem: violation };
      logger.warn('history object is inconsistent and left alone', fields);
    },
    stepDone: (step, { namespace, name, uid }) => {
      metrics.reconciler.countStep(step);
      logger.info('history object was put in order', { step, namespace, name, uid });
    },
  };
}

function sampleMetrics(
  metrics: Metrics,
  watches: Watches,
  work: { readonly queue: WorkQueue | undefined },
): void {
  metrics.reconciler.setLeader(false);
  metrics.onExpose(() => {
    metrics.reconciler.setSnapshots(snapshotStatistics(watches.groups()));
    metrics.reconciler.setQueue(work.queue?.depth ?? 0, (work.queue?.oldestAgeMs() ?? 0) / 1_000);
    metrics.watches.setWatches(INFORMER, watches.count);
    metrics.watches.setSilence(INFORMER, watches.silenceMs() / 1_000);
  });
}

/**
 * The Lease that replicas of one installation share: in the pod's own namespace; elsewhere in one that the service has
 * rights in for sure, or the context's.
 */
export function leasePlace({ named }: NamespaceScope, { namespace, inCluster }: ClusterHome) {
  const own = inCluster ? namespace : undefined;
  return { namespace: own ?? named?.[0] ?? namespace ?? 'default', name: leaseName(named) };
}

/**
 * Installations that look after other namespaces do not share a Lease. Those under another annotation prefix do, since the
 * Lease records it; the first item is what keeps the name that Leases of the default prefix have always had.
 */
function leaseName(named: readonly string[] | undefined): string {
  const scope = JSON.stringify(['service.io', named ?? null]);
  return `secrets-management-service-history-${createHash('sha256').update(scope).digest('hex').slice(0, 8)}`;
}
