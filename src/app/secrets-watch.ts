import {
  createSecretTable,
  metadataRecordOf,
  type SecretRecord,
  type SecretTable,
} from '../caches/secret-table.ts';
import { watchSecretIdentities, watchSecretMetadata } from '../cluster/stores/watched-secrets.ts';
import type { Change } from '../informers/object-store.ts';
import { auditCache, type CacheAuditOptions } from '../caches/cache-audit.ts';
import { backgroundComponent, type BackgroundTask } from './lifecycle.ts';
import type { ServiceParts } from './parts.ts';
import { createReflectors, type Reflectors } from './reflectors.ts';
import { getHeapStatistics } from 'node:v8';
import type { WatchedScope } from '../access/namespace-scope.ts';
import { cachedSecretOf, isWhole } from '../caches/cached-secret.ts';
import { watchSecrets, type KeepSecret } from '../cluster/stores/watched-secrets.ts';
import { toIndexed, type IndexedHistory } from '../history/history.ts';
import type { SecretMetadata } from '../kube/secret.ts';
import type { Logger } from '../observability/logger.ts';
import { systemClock, type Clock } from '../timing/clock.ts';

/** The `informer` label of its metrics. */
const SECRETS_INFORMER = 'secrets';

/** What the live Secrets of lists may take of the heap. */
export interface CacheLimits {
  readonly namespaceBytes: number;
  readonly totalBytes: number;
}

export type ListedReflectors = Reflectors<SecretTable>;

/** How often namespaces are looked for that fit again. */
const FIT_MS = 60_000;

export function cacheLimits(heapBytes: number = getHeapStatistics().heap_size_limit): CacheLimits {
  return { namespaceBytes: 64 * 1024 * 1024, totalBytes: heapBytes / 2 };
}

/** Live Secrets as lists need them, with the history. */
function watchListedSecrets(
  parts: ServiceParts,
  limits: CacheLimits,
  onAnyChange: (change: SecretRecordChange) => void,
) {
  const { settings, cluster, codec, logger } = parts;
  const handlers: ((namespace: string, removedBytes: number) => void)[] = [];
  const changed = (namespace: string, removedBytes: number): void => {
    for (const handle of handlers) handle(namespace, removedBytes);
  };
  const over = createOverBudget(() => reflectors, logger);
  const onReduced = (namespace: string): void => {
    over.add(namespace);
    changed(namespace, Number.MAX_SAFE_INTEGER);
  };
  const reflectors: ListedReflectors = createReflectors<SecretRecord, SecretRecord, SecretTable>(parts, {
    informer: SECRETS_INFORMER,
    sourceOf: (watched) =>
      watchSecrets(
        cluster.gateway,
        codec,
        watched,
        keepOf(() => reflectors),
      ),
    project: (record) => record,
    createTable: (watched) =>
      createSecretTable({
        namespaceBytes: limits.namespaceBytes,
        tableBytes: () => limits.totalBytes - bytesElsewhere(reflectors, watched),
        onReduced,
      }),
    onChange: (change) => {
      onAnyChange(change);
      const previous = change.previous?.kind === 'live' ? change.previous : undefined;
      const value = change.kind === 'deleted' ? undefined : change.value;
      const { namespace } = previous ?? (value?.kind === 'live' ? value : {});
      if (namespace !== undefined)
        changed(namespace, previous !== undefined && isWhole(previous) ? previous.heapBytes : 0);
    },
    maxSilenceMs: settings.lists.maxSilenceMs,
  });
  return {
    reflectors,
    /** Calls the handler with each change of a namespace, and what the Secrets took that were replaced or removed. */
    onChange: (handler: (namespace: string, removedBytes: number) => void): void => {
      handlers.push(handler);
    },
    tasks: [over.run],
  };
}

function keepOf(reflectors: () => ListedReflectors): KeepSecret<SecretRecord> {
  return {
    known: ({ namespace, name }) => {
      const table = reflectors().of(namespace)?.objects;
      const held = table?.get(namespace, name);
      const isWanted =
        held?.kind === 'live' &&
        held.isReduced === true &&
        table?.live.namespaces.get(namespace)?.isOver !== true;
      return isWanted ? undefined : held;
    },
    live: cachedSecretOf,
    history: historyOf,
  };
}

/** Undefined for a live Secret. */
export function historyOf(metadata: SecretMetadata): IndexedHistory | undefined {
  const indexed = toIndexed(metadata);
  return indexed.kind === 'history' ? indexed : undefined;
}

/** While everything is listed again, what is listed counts, and not what it replaces. */
function bytesElsewhere({ byScope }: ListedReflectors, watched: WatchedScope): number {
  let bytes = 0;
  for (const other of byScope) if (other.scope !== watched) bytes += other.reflector.objects.live.bytes;
  return bytes;
}

/** The namespaces that are over the budget: logged once, and listed again once they fit. */
export function createOverBudget(
  reflectors: () => ListedReflectors,
  logger: Logger,
  clock: Pick<Clock, 'sleep'> = systemClock,
) {
  const over = new Set<string>();
  return {
    add: (namespace: string): void => {
      if (over.has(namespace)) return;
      over.add(namespace);
      logger.warn('namespace over the cache budget', { namespace });
    },
    run: async (signal: AbortSignal): Promise<void> => {
      while (!signal.aborted) {
        await clock.sleep(FIT_MS, signal);
        const wanted = new Set<ListedReflectors['all'][number]>();
        for (const namespace of over) {
          const reflector = reflectors().of(namespace);
          // While a list arrives, the next table decides.
          if (reflector?.status().revision === undefined) continue;
          const { live } = reflector.objects;
          if (live.fitsAgain(namespace)) wanted.add(reflector);
          else if (!live.isReduced(namespace)) {
            over.delete(namespace);
            logger.info('namespace within the cache budget', { namespace });
          }
        }
        for (const reflector of wanted) reflector.listAgain('budget');
      }
    },
  };
}

/** The change of a Secret object, live or history. */
export type SecretRecordChange = Change<SecretRecord>;

/** The one list and watch of Secrets, or one for each namespace that the scope names. */
export type SecretsWatch = ReturnType<typeof createSecretsWatch>;

/**
 * Follows all Secrets in scope, history objects included, for lists and for the history. So both are of the same
 * revision, and the cluster sends each event once. Without lists from memory the values are not transferred.
 */
export function createSecretsWatch(parts: ServiceParts, limits = cacheLimits()) {
  const { settings, prefix } = parts;
  const handlers: ((change: SecretRecordChange) => void)[] = [];
  const onChange = (change: SecretRecordChange): void => {
    for (const handle of handlers) handle(change);
  };
  const listed = settings.lists.cache ? watchListedSecrets(parts, limits, onChange) : undefined;
  const all = listed?.reflectors ?? watchMetadata(parts, onChange);
  const tasks = [...all.tasks, ...(listed?.tasks ?? []), ...auditTasks(all, parts)];
  return {
    /** Live Secrets as lists need them; undefined when SERVICE_LIST_CACHE is false. */
    listed,
    all,
    /** Calls the handler with every change after it is stored. */
    onChange: (handler: (change: SecretRecordChange) => void): void => {
      handlers.push(handler);
    },
    component: backgroundComponent('secrets watch', tasks.map(prefix.whenSettled)),
  };
}

/** Compares what is held with the cluster, from time to time. */
function auditTasks(
  { byScope }: Reflectors<SecretTable>,
  { cluster, logger, metrics }: ServiceParts,
): readonly BackgroundTask[] {
  return byScope.map(({ scope, reflector }) => {
    const options: CacheAuditOptions = {
      reflector,
      metadata: watchSecretIdentities(cluster.gateway, scope),
      onResult: (result) => {
        metrics.inc('service_cache_checks_total', { cache: SECRETS_INFORMER, result });
      },
      logger,
      clock: systemClock,
      random: Math.random,
    };
    return (signal) => auditCache(options, signal);
  });
}

function watchMetadata(
  parts: ServiceParts,
  onChange: (change: SecretRecordChange) => void,
): Reflectors<SecretTable> {
  const { cluster, codec } = parts;
  return createReflectors(parts, {
    informer: SECRETS_INFORMER,
    sourceOf: (watched) => watchSecretMetadata(cluster.gateway, codec, watched),
    project: metadataRecordOf,
    createTable: () => createSecretTable(),
    onChange,
  });
}
