import type { NamespaceScope } from '../access/namespace-scope.ts';
import type { NamespaceCache } from '../access/ports.ts';
import { parsePolicy, type PolicyCache } from '../access/policy.ts';
import { createNamespaceCache } from '../caches/namespace-cache.ts';
import { nextCertificates } from '../caches/next-certificates.ts';
import { createPolicyCache, type CachedPolicy } from '../caches/policy-cache.ts';
import { createSecretListCache, type CachedSecret } from '../caches/secret-list-cache.ts';
import { createSharedValues } from '../caches/shared-values.ts';
import { createSyncReadiness } from '../caches/sync-readiness.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { watchNamespaces } from '../cluster/stores/namespace-store.ts';
import { decodeMetadata, watchSecretIdentities } from '../cluster/stores/secret-metadata.ts';
import { watchConfigMaps } from '../cluster/stores/watched-config-maps.ts';
import { watchSecrets } from '../cluster/stores/watched-secrets.ts';
import type { Settings } from '../config/settings.ts';
import { claimsToBeHistory } from '../history/history.ts';
import type { AnnotationCodec } from '../kube/annotation-codec.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { ReadinessCheck } from '../observability/readiness.ts';
import type { Reflector } from '../informers/reflector.ts';
import type { ListCache } from '../secrets/list-cache.ts';
import { listItemOf } from '../secrets/list-item.ts';
import { systemClock } from '../timing/clock.ts';
import { backgroundComponent, type BackgroundTask } from './components.ts';
import type { Component } from './lifecycle.ts';
import type { PrefixGuard } from './prefix-guard.ts';
import { auditTasks, createReflectors, type Reflectors } from './reflectors.ts';
import type { StorageRestore } from './storage-restore.ts';

/** The caches that answer lists, and the component that runs them. */
export interface Caches {
  readonly listCache: ListCache;
  readonly policyCache: PolicyCache;
  /** Undefined where the scope names its namespaces. */
  readonly namespaceCache: NamespaceCache | undefined;
  readonly component: Component;
  readonly readiness: ReadinessCheck;
}

export interface CachesOptions {
  readonly settings: Settings;
  readonly scope: NamespaceScope;
  readonly cluster: Pick<Cluster, 'gateway'>;
  readonly codec: AnnotationCodec;
  /** Nothing is listed or watched before it has settled. */
  readonly prefix: Pick<PrefixGuard, 'whenSettled'>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly restore: StorageRestore;
}

/** As many certificates as there may be series of them. */
const MOST_CERTIFICATES = 1_000;

/** Namespaces, and sets of access rules, of which one copy is kept. */
const MOST_SHARED = 10_000;

/** Undefined when SERVICE_LIST_CACHE is false. */
export function createCaches(options: CachesOptions): Caches | undefined {
  const { settings, prefix, metrics } = options;
  if (!settings.lists.cache) return undefined;
  const { maxSilenceMs } = settings.lists;
  const { policyName } = settings.access;
  const { secrets, listCache } = secretReflectors(options);
  const policies = policyReflectors(options);
  const policyCache = createPolicyCache({
    reflectorOf: (namespace) => policies.of(namespace),
    policyName,
    maxSilenceMs,
  });
  const namespaces = namespaceReflector(options);
  options.restore.onNoticed(policyCache.forget);
  metrics.onExpose(() => {
    exposeCache('secrets', secrets, metrics);
    metrics.lists.setCertificates(nextCertificates(tracked(secrets), MOST_CERTIFICATES));
    exposeCache('policies', policies, metrics);
  });
  const tasks: readonly BackgroundTask[] = [
    ...[...secrets.all, ...policies.all, ...(namespaces === undefined ? [] : [namespaces])].map(
      (reflector) => (signal: AbortSignal) => reflector.run(signal),
    ),
    ...auditTasks({
      ...options,
      informer: 'secrets',
      reflectors: secrets,
      metadataOf: (place) =>
        watchSecretIdentities(options.cluster.gateway, place, {
          labelSelector: options.codec.liveSelector,
          // The selector matches the label; a snapshot without its label still has the annotation.
          counts: (native) => !claimsToBeHistory(decodeMetadata(native, options.codec)),
        }),
      belongs: ({ counts }) => counts,
    }),
  ];
  return {
    listCache,
    policyCache,
    namespaceCache: namespaces && createNamespaceCache(namespaces, maxSilenceMs),
    component: backgroundComponent('caches', tasks.map(prefix.whenSettled)),
    readiness: {
      name: 'caches',
      isReady: createSyncReadiness([...secrets.all, ...policies.all], systemClock),
    },
  };
}

function secretReflectors({ settings, scope, cluster, codec, logger, metrics, restore }: CachesOptions): {
  readonly secrets: Reflectors<CachedSecret>;
  readonly listCache: ListCache;
} {
  const { maxSilenceMs } = settings.lists;
  const shared = createSharedValues(MOST_SHARED);
  const listCache = createSecretListCache({
    reflectorOf: (namespace) => secrets.of(namespace),
    maxSilenceMs,
    clock: systemClock,
  });
  restore.onNoticed(listCache.forget);
  const secrets: Reflectors<CachedSecret> = createReflectors({
    informer: 'secrets',
    places: scope.places,
    sourceOf: (place) =>
      watchSecrets(cluster.gateway, codec, place, (secret): CachedSecret | undefined => {
        const item = listItemOf(secret);
        if (item === undefined) return undefined;
        const [home, rules] = [shared.text(item.namespace), shared.rules(item.rules)];
        return { ...item, namespace: home, rules, bytes: secret.bytes };
      }),
    project: ({ kept }) => kept,
    index: ({ namespace }) => namespace,
    sizeOf: ({ json }) => json.length,
    // Those with a certificate, so that a scrape need not go through all.
    tracks: ({ notAfter }) => notAfter !== undefined,
    onChange: (change) => {
      listCache.changed((change.kind === 'deleted' ? change.previous : change.value).namespace);
    },
    maxSilenceMs,
    logger,
    metrics,
    restore,
  });
  return { secrets, listCache };
}

function policyReflectors({
  settings,
  scope,
  cluster,
  logger,
  metrics,
  restore,
}: CachesOptions): Reflectors<CachedPolicy> {
  return createReflectors({
    informer: 'policies',
    places: scope.places,
    sourceOf: (place) => watchConfigMaps(cluster.gateway, settings.access.policyName, place),
    project: (policy): CachedPolicy => ({
      namespace: policy.namespace,
      resourceVersion: policy.resourceVersion,
      state: parsePolicy(policy),
    }),
    sizeOf: ({ state }) => JSON.stringify(state).length,
    onChange: () => undefined,
    maxSilenceMs: settings.lists.maxSilenceMs,
    logger,
    metrics,
    restore,
  });
}

/** Without cluster-wide rights, the namespaces are those of the scope. */
function namespaceReflector({
  settings,
  scope,
  cluster,
  logger,
  metrics,
  restore,
}: CachesOptions): Reflector<string> | undefined {
  if (scope.named !== undefined) return undefined;
  return createReflectors({
    informer: 'namespaces',
    places: [{ without: [] }],
    sourceOf: () => watchNamespaces(cluster.gateway),
    project: ({ name, isTerminating }) => (isTerminating ? undefined : name),
    onChange: () => undefined,
    maxSilenceMs: settings.lists.maxSilenceMs,
    logger,
    metrics,
    restore,
  }).all[0];
}

function* tracked<Value>({ all }: Reflectors<Value>): Generator<Value> {
  for (const { objects } of all) yield* objects.tracked();
}

function exposeCache(cache: string, { all }: Reflectors<unknown>, metrics: Metrics): void {
  let objects = 0;
  let bytes = 0;
  for (const { objects: stored } of all) {
    objects += stored.size;
    bytes += stored.bytes;
  }
  const synced = all.every((reflector) => reflector.status().synced);
  metrics.lists.setCache({ cache, synced, objects, bytes });
}
