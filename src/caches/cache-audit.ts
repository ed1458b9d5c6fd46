import { isServiceError } from '../errors/service-error.ts';
import { hasReached, isLater, parseRevision } from '../kube/resource-version.ts';
import { createEventLoopYielder } from '../timing/event-loop-yielder.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import { listAll } from '../informers/list-all.ts';
import type { Clock } from '../timing/clock.ts';
import { textOfName, type ObjectTable } from '../informers/object-store.ts';
import type { Watchable, WatchedObject } from '../informers/ports.ts';
import type { Reflector } from '../informers/reflector.ts';

export interface CacheAuditOptions {
  readonly reflector: Pick<
    Reflector<Pick<ObjectTable<WatchedObject>, 'get' | 'values'>>,
    'objects' | 'status' | 'listAgain'
  >;
  /** The identity of the same objects. */
  readonly metadata: Watchable<WatchedObject>;
  readonly metrics: Pick<Metrics, 'inc'>;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Returns 0 to 1. */
  readonly random: () => number;
}

const INTERVAL_MS = 10 * 60_000;
/** How long the cache may be behind before a missing event counts as a difference. */
const PAUSE_MS = 5_000;

/**
 * Compares a cache with the cluster from time to time, as metadata, and lists everything again if they differ. This
 * detects lost events. Runs until `signal` is aborted.
 */
export async function auditCache(options: CacheAuditOptions, signal: AbortSignal): Promise<void> {
  const { reflector, metrics, logger, clock, random } = options;
  for (;;) {
    await clock.sleep(INTERVAL_MS * (0.8 + 0.4 * random()), signal);
    if (signal.aborted) return;
    if (!reflector.status().synced) continue;
    const { outcome, differences } = await compare(options, signal);
    metrics.inc('service_cache_checks_total', { cache: 'secrets', result: outcome });
    if (outcome !== 'different') continue;
    logger.info('cache differs from the cluster, relisting', { count: differences });
    reflector.listAgain('difference');
  }
}

/**
 * One comparison. An object that changes meanwhile looks like a difference at first, so only an object that differs in
 * the same way in two lists with a pause between them counts.
 */
export async function compare(
  options: CacheAuditOptions,
  signal: AbortSignal,
): Promise<{ readonly outcome: 'same' | 'different' | 'failed'; readonly differences: number }> {
  try {
    const first = await differencesOf(options, signal);
    if (first.size === 0) return { outcome: 'same', differences: 0 };
    await options.clock.sleep(PAUSE_MS, signal);
    const second = await differencesOf(options, signal);
    const lasting = [...second].filter(([key, state]) => first.get(key) === state);
    return { outcome: lasting.length === 0 ? 'same' : 'different', differences: lasting.length };
  } catch (error) {
    if (isServiceError(error)) return { outcome: 'failed', differences: 0 };
    throw error;
  }
}

/** By object: what the cluster has where the cache has something else. Of the live list nothing else is kept. */
async function differencesOf({ reflector, metadata }: CacheAuditOptions, signal: AbortSignal) {
  const found = new Map<string, string>();
  /** UIDs of what the cache holds and the cluster has under the name; strings that the cache keeps anyway. */
  const live = new Set<string>();
  /** Of which the cache holds a later state. */
  const behind: WatchedObject[] = [];
  const look = (object: WatchedObject): void => {
    const cached = reflector.objects.get(object.namespace, object.name);
    if (cached !== undefined) live.add(cached.uid);
    if (!isAsNew(cached, object)) found.set(textOfName(object), stateOf(object));
    else if (cached?.resourceVersion !== object.resourceVersion) behind.push(object);
  };
  const revision = await listAll(metadata, look, signal, { takesLaterRest: true });
  for (const object of behind) {
    const cached = reflector.objects.get(object.namespace, object.name);
    // A list has all that happened until its revision; the cluster's storage may have been restored.
    if (hasReached(parseRevision(revision), parseRevision(cached?.resourceVersion)))
      found.set(textOfName(object), stateOf(object));
  }
  const yielder = createEventLoopYielder();
  for (const cached of reflector.objects.values()) {
    if (!live.has(cached.uid) && !found.has(textOfName(cached))) found.set(textOfName(cached), 'absent');
    if (yielder.isDue()) await yielder.yieldNow();
  }
  return found;
}

const stateOf = ({ uid, resourceVersion }: WatchedObject): string => `${uid} ${resourceVersion}`;

/** The cache may be newer than a list that was read meanwhile. */
function isAsNew(cached: WatchedObject | undefined, live: WatchedObject): boolean {
  if (cached === undefined) return false;
  const [ours, theirs] = [parseRevision(cached.resourceVersion), parseRevision(live.resourceVersion)];
  if (ours === undefined || theirs === undefined) return cached.resourceVersion === live.resourceVersion;
  return cached.uid === live.uid ? hasReached(ours, theirs) : isLater(ours, theirs);
}
