import { EventEmitter } from 'node:events';
import { createNamespaceScope, type NamespaceScope } from '../access/namespace-scope.ts';
import { createHistoryIndex } from '../caches/history-index.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { createLeaseStore } from '../cluster/stores/lease-store.ts';
import { createSecretMetadataStore } from '../cluster/stores/secret-store.ts';
import type { Settings } from '../config/settings.ts';
import type { ServiceError } from '../errors/service-error.ts';
import { keyOf, partsOf, type SnapshotStatistics } from '../history/history.ts';
import {
  createPrefixGuard,
  HistoryController,
  leaseOf,
  type Installation,
  type WatchedHistory,
} from '../history/reconciler/controller.ts';
import type { AnnotationCodec } from '../kube/annotation-codec.ts';
import { systemClock } from '../timing/clock.ts';
import { createCaches } from './caches.ts';
import { backgroundComponent } from './lifecycle.ts';
import type { ServiceBase, ServiceParts, WatchEvents } from './parts.ts';
import { createRevocationsWatch } from './revocations.ts';
import { createSecretsWatch, type ListedReflectors, type SecretRecordChange } from './secrets-watch.ts';

/** What works on the cluster in the background, with the parts that it uses. */
export type Workers = ReturnType<typeof createWorkers>;

export function createWorkers(base: ServiceBase, cluster: Cluster, codec: AnnotationCodec) {
  const { settings, logger } = base;
  const scope = createNamespaceScope(settings.access.namespaces);
  const installation = installationOf(settings, scope);
  const ownLease = leaseOf(installation.scope, cluster.home);
  // One for the whole cluster may look for others everywhere.
  const listed = scope.named === undefined ? undefined : ownLease.namespace;
  const lease = createLeaseStore(cluster.gateway, ownLease, listed);
  const failure = Promise.withResolvers<ServiceError>();
  const prefix = createPrefixGuard({
    own: installation,
    lease,
    of: ownLease,
    onMismatch: failure.resolve,
    logger,
  });
  const events = new EventEmitter<WatchEvents>();
  const parts: ServiceParts = { ...base, cluster, codec, scope, prefix, events };
  const revocations = createRevocationsWatch(parts);
  const secrets = createSecretsWatch(parts);
  const caches = settings.lists.cache ? createCaches(parts, secrets.reflectors) : undefined;
  const history = new HistoryController({
    ...parts,
    installation,
    lease,
    ownLease,
    orphanTtlMs: settings.secrets.orphanTtlMs,
    watched: watchedHistory(secrets.reflectors),
    store: createSecretMetadataStore(cluster.gateway, codec),
    clusterNow: cluster.gateway.serverNow,
    logger: logger.with({ component: 'history' }),
  });
  events.on('secret', (change) => {
    history.changed(keysOf(change));
  });
  const ofSecrets = [
    ...secrets.tasks,
    ...(caches?.tasks ?? []),
    (signal: AbortSignal) => history.run(signal),
  ];
  const tasks = [...(revocations?.tasks ?? []), ...ofSecrets.map(prefix.whenSettled)];
  return {
    ...parts,
    caches,
    isRevoked: revocations?.isRevoked,
    historyIndex: createHistoryIndex(secrets.reflectors.of, systemClock),
    components: [prefix.component, backgroundComponent(tasks)],
    checks: [prefix, caches, revocations].flatMap((worker) => worker?.readiness ?? []),
    /** What `/readyz` says besides. */
    notes: () => history.notes(),
    /** Resolves with an error after which the service must be stopped. */
    failed: failure.promise,
  };
}

function installationOf({ secrets }: Settings, { named, watched }: NamespaceScope): Installation {
  const without = watched.flatMap((scope) => (scope.namespace === undefined ? scope.without : []));
  return {
    prefix: secrets.annotationPrefix,
    scope: named === undefined ? { without } : { named },
    limit: secrets.historyLimit,
  };
}

function watchedHistory(reflectors: ListedReflectors): WatchedHistory {
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

function keysOf({ value, previous }: SecretRecordChange): ReadonlySet<string> {
  return new Set([value, previous].filter((one) => one !== undefined).map(keyOf));
}
