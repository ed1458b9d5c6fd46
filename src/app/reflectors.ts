import type { WatchedScope } from '../access/namespace-scope.ts';
import type { ObjectTable } from '../informers/object-store.ts';
import type { Watchable, WatchedObject } from '../informers/ports.ts';
import {
  createReflector,
  type Reflector,
  type ReflectorObserver,
  type ReflectorOptions,
} from '../informers/reflector.ts';
import { createRevisionProbe } from '../informers/revision-probe.ts';
import { systemClock } from '../timing/clock.ts';
import type { BackgroundTask } from './lifecycle.ts';
import type { ServiceParts } from './parts.ts';

/** One reflector for the whole cluster, or one for each namespace that the scope names. */
export interface Reflectors<Table> {
  readonly byScope: readonly { readonly scope: WatchedScope; readonly reflector: Reflector<Table> }[];
  readonly all: readonly Reflector<Table>[];
  /** What runs them. */
  readonly tasks: readonly BackgroundTask[];
  /** Undefined for a namespace outside the scope. */
  readonly of: (namespace: string) => Reflector<Table> | undefined;
}

interface ReflectorsOptions<Value extends WatchedObject, Table> extends Omit<
  ReflectorOptions<Value, Table>,
  'source' | 'observer' | 'logger' | 'clock' | 'random' | 'probe' | 'createTable'
> {
  /** The `informer` label of its metrics. */
  readonly informer: string;
  /** By default, of the service. */
  readonly scopes?: readonly WatchedScope[];
  readonly sourceOf: (scope: WatchedScope) => Watchable<Value>;
  readonly createTable: (scope: WatchedScope) => Table;
}

/** Makes the reflectors of one informer and exposes their watch metrics. Nothing runs yet. */
export function createReflectors<Value extends WatchedObject, Table extends ObjectTable<Value>>(
  parts: ServiceParts,
  {
    informer,
    scopes = parts.scope.watched,
    sourceOf,
    createTable,
    ...options
  }: ReflectorsOptions<Value, Table>,
): Reflectors<Table> {
  const { logger, metrics, events } = parts;
  const observer = watchObserver(informer, parts);
  const byScope = scopes.map((scope) => {
    const source = sourceOf(scope);
    const wiring = {
      source,
      logger,
      observer,
      // Each has one: in another scope the list may be forbidden.
      probe: createRevisionProbe(source),
      createTable: () => createTable(scope),
      clock: systemClock,
      random: Math.random,
    };
    return { scope, reflector: createReflector<Value, Table>({ ...options, ...wiring }) };
  });
  const all = byScope.map(({ reflector }) => reflector);
  events.on('restored', () => {
    for (const reflector of all) reflector.drop();
  });
  const byNamespace = new Map(byScope.map(({ scope, reflector }) => [scope.namespace, reflector]));
  metrics.onExpose(() => {
    const silenceMs = Math.max(0, ...all.map((reflector) => reflector.status().silenceMs));
    metrics.set('service_watches', all.length, { informer });
    metrics.set('service_watch_silence_seconds', silenceMs / 1_000, { informer });
  });
  return {
    byScope,
    all,
    tasks: all.map((reflector) => (signal) => reflector.run(signal)),
    of: (namespace) => byNamespace.get(undefined) ?? byNamespace.get(namespace),
  };
}

function watchObserver(informer: string, { logger, metrics, events }: ServiceParts): ReflectorObserver {
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
    restored: () => {
      logger.warn('storage of the cluster was restored, relisting');
      metrics.inc('service_storage_restores_total');
      events.emit('restored');
    },
  };
}
