import { getHeapStatistics } from 'node:v8';
import type { WatchedScope } from '../access/namespace-scope.ts';
import { auditCache } from '../caches/cache-audit.ts';
import { cachedSecretOf, isWhole } from '../caches/cached-secret.ts';
import {
  createSecretTable,
  metadataRecordOf,
  type SecretRecord,
  type SecretTable,
} from '../caches/secret-table.ts';
import {
  watchSecretIdentities,
  watchSecretMetadata,
  watchSecrets,
} from '../cluster/stores/watched-secrets.ts';
import { toIndexed, type IndexedHistory } from '../history/history.ts';
import type { Change } from '../informers/object-store.ts';
import type { SecretMetadata } from '../kube/secret.ts';
import type { Logger } from '../observability/logger.ts';
import { systemClock, type Clock } from '../timing/clock.ts';
import { createReflectors, type Reflectors } from './reflectors.ts';
import type { ServiceParts } from './parts.ts';

/** The `informer` label of its metrics. */
const SECRETS_INFORMER = 'secrets';

/** The one list and watch of Secrets, or one for each namespace that the scope names. */
export type ListedReflectors = Reflectors<SecretTable>;

/** The change of a Secret object, live or history. */
export type SecretRecordChange = Change<SecretRecord>;

/** How often namespaces are looked for that fit again. */
const FIT_MS = 60_000;

/** What the live Secrets of lists may take of the heap. */
export function cacheLimits(heapBytes: number = getHeapStatistics().heap_size_limit) {
  return { namespaceBytes: 64 * 1024 * 1024, totalBytes: heapBytes / 2 };
}

/**
 * Follows all Secrets in scope, history objects included, for lists and for the history. So both are of the same
 * revision, and the cluster sends each event once. When SERVICE_LIST_CACHE is false the values are not transferred.
 */
export function createSecretsWatch(parts: ServiceParts) {
  const { settings, cluster, codec, events, logger, metrics } = parts;
  const over = createOverBudget(() => reflectors, logger);
  const reflectors: ListedReflectors = settings.lists.cache
    ? watchListedSecrets(parts, over.add)
    : createReflectors(parts, {
        informer: SECRETS_INFORMER,
        sourceOf: (watched) => watchSecretMetadata(cluster.gateway, codec, watched, metadataRecordOf),
        createTable: () => createSecretTable(),
        onChange: (change) => events.emit('secret', change),
      });
  const audits = reflectors.byScope.map(({ scope, reflector }) => (signal: AbortSignal) => {
    const metadata = watchSecretIdentities(cluster.gateway, scope);
    const { random } = Math;
    return auditCache({ reflector, metadata, metrics, logger, clock: systemClock, random }, signal);
  });
  return { reflectors, tasks: [...reflectors.tasks, ...audits, over.run] };
}

/** Live Secrets as lists need them, with the history. */
function watchListedSecrets(
  parts: ServiceParts,
  onOverBudget: (namespace: string) => void,
): ListedReflectors {
  const { settings, cluster, codec, events } = parts;
  const { namespaceBytes, totalBytes } = cacheLimits();
  const sourceOf = (watched: WatchedScope) =>
    watchSecrets<SecretRecord>(cluster.gateway, codec, watched, {
      known: ({ namespace, name }) => {
        const table = reflectors.of(namespace)?.objects;
        const held = table?.get(namespace, name);
        return table?.live.fitsAgain(namespace) === true && held?.kind === 'live' ? undefined : held;
      },
      live: cachedSecretOf,
      history: historyOf,
    });
  const reflectors: ListedReflectors = createReflectors<SecretRecord, SecretTable>(parts, {
    informer: SECRETS_INFORMER,
    sourceOf,
    createTable: (watched) =>
      createSecretTable({
        namespaceBytes,
        tableBytes: () => totalBytes - bytesElsewhere(reflectors, watched),
        onReduced: (namespace) => {
          onOverBudget(namespace);
          events.emit('list', namespace, Number.MAX_SAFE_INTEGER);
        },
      }),
    onChange: (change) => {
      events.emit('secret', change);
      const { previous, value } = change;
      const live = [previous, value].find((one) => one?.kind === 'live');
      if (live === undefined) return;
      const removed = previous?.kind === 'live' && isWhole(previous) ? previous.heapBytes : 0;
      events.emit('list', live.namespace, removed);
    },
    maxSilenceMs: settings.lists.maxSilenceMs,
  });
  return reflectors;
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
          else if (live.namespaces.get(namespace)?.isOver !== true) {
            over.delete(namespace);
            logger.info('namespace within the cache budget', { namespace });
          }
        }
        for (const reflector of wanted) reflector.listAgain('budget');
      }
    },
  };
}
