import type { NamespaceScope, WatchedPlace } from '../access/namespace-scope.ts';
import { parsePolicy, type PolicyCache } from '../access/policy.ts';
import { systemClock } from '../timing/clock.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { watchSecretMetadata } from '../cluster/stores/secret-metadata.ts';
import { watchConfigMaps } from '../cluster/stores/watched-config-maps.ts';
import { watchSecrets, type ArrivedSecret } from '../cluster/stores/watched-secrets.ts';
import { runningPart, watchObserver } from './watches.ts';
import type { PrefixGuard } from './prefix.ts';
import type { Settings } from '../config/settings.ts';
import type { AnnotationCodec } from '../kube/annotation-codec.ts';
import type { SecretMetadata } from '../kube/secret.ts';
import { claimsToBeHistory } from '../history/history.ts';
import { checkCache, type CacheCheckOptions } from '../caches/cache-audit.ts';
import { createPolicyCache, type CachedPolicy } from '../caches/policy-cache.ts';
import type { Watchable, WatchedObject } from '../informers/ports.ts';
import { createReflector, type Reflector, type ReflectorOptions } from '../informers/reflector.ts';
import { createSecretListCache, type CachedSecret } from '../caches/secret-list-cache.ts';
import type { Part } from './lifecycle.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { ReadinessCheck } from '../observability/readiness.ts';
import type { ListCache } from '../secrets/list-cache.ts';
import { listItemOf } from '../secrets/list-item.ts';

/** The caches behind lists, and what keeps them. */
export interface Caches {
  readonly listCache: ListCache;
  readonly policyCache: PolicyCache;
  readonly part: Part;
  readonly readiness: ReadinessCheck;
}

export interface CachesDependencies {
  readonly settings: Settings;
  readonly scope: NamespaceScope;
  readonly cluster: Pick<Cluster, 'gateway'>;
  readonly codec: AnnotationCodec;
  /** Nothing is listed or watched before it has settled. */
  readonly prefix: Pick<PrefixGuard, 'settled'>;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** After that the service is ready without its caches: lists are live, which is better than none. */
const SYNC_PATIENCE_MS = 60_000;

/** One reflector for the cluster, or one for each namespace that the scope names. */
interface Followed<Value> {
  readonly reflectors: readonly Reflector<Value>[];
  readonly watches: readonly { readonly place: WatchedPlace; readonly reflector: Reflector<Value> }[];
  readonly of: (namespace: string) => Reflector<Value> | undefined;
}

/** Undefined when SERVICE_LIST_CACHE is false: then nothing is listed or watched for lists. */
export function composeCaches(dependencies: CachesDependencies): Caches | undefined {
  const { settings, scope, cluster, codec, prefix, logger, metrics } = dependencies;
  if (!settings.lists.cache) return undefined;
  const { maxSilenceMs } = settings.lists;
  const begun = systemClock.now();

  const follow = <Item extends WatchedObject, Value>(
    name: string,
    sourceOf: (place: WatchedPlace) => Watchable<Item>,
    options: Pick<ReflectorOptions<Item, Value>, 'project' | 'index' | 'onChange'>,
  ): Followed<Value> => {
    const reflectorFor = (place: WatchedPlace) =>
      createReflector<Item, Value>({
        ...options,
        source: sourceOf(place),
        observer: watchObserver(name, metrics),
        logger,
        clock: systemClock,
        random: Math.random,
        maxSilenceMs,
      });
    return followAll(scope.places, reflectorFor);
  };

  const listCache = createSecretListCache({
    reflectorOf: (namespace) => secrets.of(namespace),
    maxSilenceMs,
    clock: systemClock,
  });
  const keep = (secret: ArrivedSecret): CachedSecret | undefined => {
    const item = listItemOf(secret);
    return item && { ...item, bytes: secret.bytes };
  };
  const secrets = follow('secrets', (place) => watchSecrets(cluster.gateway, codec, place, keep), {
    project: ({ kept }) => kept,
    index: ({ namespace }) => namespace,
    onChange: (change) => {
      listCache.changed((change.kind === 'deleted' ? change.previous : change.value).namespace);
    },
  });
  const { policyName } = settings.access;
  const policies = follow('policies', (place) => watchConfigMaps(cluster.gateway, policyName, place), {
    project: (policy): CachedPolicy => ({
      namespace: policy.namespace,
      resourceVersion: policy.resourceVersion,
      state: parsePolicy(policy),
    }),
    onChange: () => undefined,
  });
  metrics.onExpose(() => {
    expose('secrets', secrets, ({ json }) => json.length, metrics);
    expose('policies', policies, ({ state }) => JSON.stringify(state).length, metrics);
  });
  return {
    listCache,
    policyCache: createPolicyCache({
      reflectorOf: (namespace) => policies.of(namespace),
      policyName,
      maxSilenceMs,
    }),
    part: runningPart(
      'caches',
      [
        ...secrets.reflectors.map((reflector) => (signal: AbortSignal) => reflector.run(signal)),
        ...policies.reflectors.map((reflector) => (signal: AbortSignal) => reflector.run(signal)),
        ...checksOf(dependencies, secrets),
      ].map((run) => async (signal: AbortSignal) => {
        await prefix.settled(signal);
        await run(signal);
      }),
    ),
    readiness: {
      name: 'caches',
      isReady: () =>
        systemClock.now() - begun > SYNC_PATIENCE_MS ||
        [...secrets.reflectors, ...policies.reflectors].every(isSettled),
    },
  };
}

function followAll<Value>(
  places: readonly WatchedPlace[],
  reflectorFor: (place: WatchedPlace) => Reflector<Value>,
): Followed<Value> {
  const watches = places.map((place) => ({ place, reflector: reflectorFor(place) }));
  const byNamespace = new Map(watches.map(({ place, reflector }) => [place.namespace, reflector]));
  const wholeCluster = byNamespace.get(undefined);
  return {
    watches,
    reflectors: watches.map(({ reflector }) => reflector),
    of: (namespace) => wholeCluster ?? byNamespace.get(namespace),
  };
}

function expose<Value>(
  cache: string,
  { reflectors }: Followed<Value>,
  bytesOf: (value: Value) => number,
  metrics: Metrics,
): void {
  const states = reflectors.map((reflector) => reflector.status());
  let objects = 0;
  let bytes = 0;
  for (const { objects: stored } of reflectors) {
    objects += stored.size;
    for (const value of stored.values()) bytes += bytesOf(value);
  }
  metrics.lists.setCache({ cache, synced: states.every(({ synced }) => synced), objects, bytes });
  metrics.watches.setWatches(cache, states.length);
  metrics.watches.setSilence(cache, Math.max(0, ...states.map(({ silenceMs }) => silenceMs)) / 1_000);
}

/** Without the right to list or watch there is nothing to wait for: lists go live. */
function isSettled(reflector: Reflector<unknown>): boolean {
  const { synced, lacksRight } = reflector.status();
  return synced || lacksRight;
}

function checksOf(
  { cluster, codec, logger, metrics }: CachesDependencies,
  secrets: Followed<CachedSecret>,
): readonly ((signal: AbortSignal) => Promise<void>)[] {
  return secrets.watches.map(({ place, reflector }) => (signal) => {
    const options: CacheCheckOptions<SecretMetadata> = {
      reflector,
      metadata: watchSecretMetadata(cluster.gateway, codec, place, codec.liveSelector),
      // The selector goes by label; a snapshot that has lost its label says so in its annotation.
      belongs: (secret) => !claimsToBeHistory(secret),
      onResult: (result) => {
        metrics.lists.countCheck('secrets', result);
      },
      logger,
      clock: systemClock,
      random: Math.random,
    };
    return checkCache(options, signal);
  });
}
