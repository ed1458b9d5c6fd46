import type { NamespaceScope, WatchedScope } from '../access/namespace-scope.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { Settings } from '../config/settings.ts';
import type { PrefixGuard } from '../history/reconciler/controller.ts';
import type { AnnotationCodec } from '../kube/annotation-codec.ts';
import type { ObjectTable } from '../informers/object-table.ts';
import type { Watchable, WatchedObject } from '../informers/ports.ts';
import {
  createReflector,
  type Reflector,
  type ReflectorObserver,
  type ReflectorOptions,
} from '../informers/reflector.ts';
import { createRevisionProbe, type RevisionProbe } from '../informers/revision-probe.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import { systemClock } from '../timing/clock.ts';
import type { BackgroundTask } from './lifecycle.ts';

/** What the watches of the cluster need. */
export interface WatchDependencies {
  readonly settings: Settings;
  readonly scope: NamespaceScope;
  readonly cluster: Pick<Cluster, 'gateway' | 'home'>;
  readonly codec: AnnotationCodec;
  /** Nothing is listed or watched before it has settled. */
  readonly prefix: Pick<PrefixGuard, 'whenSettled'>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly restore: StorageRestore;
}

export type StorageRestore = ReturnType<typeof createStorageRestore>;

/**
 * A restore of the cluster's storage from a backup. Whichever watch notices it first, everything that was kept of the
 * storage before is forgotten: revisions start again below earlier ones.
 */
export function createStorageRestore(metrics: Pick<Metrics, 'inc'>, logger: Pick<Logger, 'warn'>) {
  const forgets: (() => void)[] = [];
  return {
    noticed: (): void => {
      logger.warn('storage of the cluster was restored, relisting');
      metrics.inc('service_storage_restores_total');
      for (const forget of forgets) forget();
    },
    onNoticed: (forget: () => void): void => {
      forgets.push(forget);
    },
  };
}

/** One reflector for the whole cluster, or one for each namespace that the scope names. */
export interface Reflectors<Table> {
  readonly byScope: readonly { readonly scope: WatchedScope; readonly reflector: Reflector<Table> }[];
  readonly all: readonly Reflector<Table>[];
  /** Undefined for a namespace outside the scope. */
  of(namespace: string): Reflector<Table> | undefined;
}

interface ReflectorsOptions<Item extends WatchedObject, Value, Table>
  extends
    Omit<
      ReflectorOptions<Item, Value, Table>,
      'source' | 'observer' | 'clock' | 'random' | 'probe' | 'createTable'
    >,
    Pick<WatchDependencies, 'logger' | 'metrics' | 'restore'> {
  /** The `informer` label of its metrics. */
  readonly informer: string;
  readonly scopes: readonly WatchedScope[];
  readonly sourceOf: (scope: WatchedScope) => Watchable<Item>;
  readonly createTable: (scope: WatchedScope) => Table;
}

/** Makes the reflectors of one informer and exposes their watch metrics. Nothing runs yet. */
export function createReflectors<
  Item extends WatchedObject,
  Value extends WatchedObject,
  Table extends ObjectTable<Value>,
>({
  informer,
  scopes,
  sourceOf,
  createTable,
  metrics,
  restore,
  ...options
}: ReflectorsOptions<Item, Value, Table>): Reflectors<Table> {
  const observer = watchObserver(informer, metrics, restore);
  let probe: RevisionProbe | undefined;
  const byScope = scopes.map((scope) => {
    const source = sourceOf(scope);
    // All objects of a kind are in one storage, so one scope answers for the others.
    probe ??= createRevisionProbe(source, systemClock);
    const wiring = {
      source,
      observer,
      probe,
      createTable: () => createTable(scope),
      clock: systemClock,
      random: Math.random,
    };
    return { scope, reflector: createReflector<Item, Value, Table>({ ...options, ...wiring }) };
  });
  const all = byScope.map(({ reflector }) => reflector);
  restore.onNoticed(() => {
    for (const reflector of all) reflector.drop();
  });
  const byNamespace = new Map(byScope.map(({ scope, reflector }) => [scope.namespace, reflector]));
  metrics.onExpose(() => {
    const silenceMs = Math.max(0, ...all.map((reflector) => reflector.status().silenceMs));
    metrics.set('service_watches', all.length, { informer });
    metrics.set('service_watch_silence_seconds', silenceMs / 1_000, { informer });
  });
  return { byScope, all, of: (namespace) => byNamespace.get(undefined) ?? byNamespace.get(namespace) };
}

function watchObserver(informer: string, metrics: Metrics, restore: StorageRestore): ReflectorObserver {
  return {
    event: (kind) => {
      metrics.inc('service_watch_events_total', { informer, kind });
    },
    relist: (reason) => {
      metrics.inc('service_watch_relists_total', { informer, reason });
    },
    forbidden: (isForbidden) => {
      metrics.add('service_watch_rights_missing', isForbidden ? 1 : -1, { informer });
    },
    restored: restore.noticed,
  };
}

/** What runs the reflectors of one informer. */
export function runTasks({ all }: Pick<Reflectors<unknown>, 'all'>): readonly BackgroundTask[] {
  return all.map((reflector) => (signal) => reflector.run(signal));
}
