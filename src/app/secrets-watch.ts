import type { NamespaceScope } from '../access/namespace-scope.ts';
import { createKeepHistory } from '../caches/cached-history.ts';
import { createKeepLive, type CachedSecret } from '../caches/cached-secret.ts';
import { createSecretTables, type SecretRecord, type SecretTable } from '../caches/secret-table.ts';
import { createSharedValues } from '../caches/shared-values.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { watchSecretIdentities, watchSecretMetadata } from '../cluster/stores/secret-metadata.ts';
import { watchSecrets, type KeepSecret } from '../cluster/stores/watched-secrets.ts';
import type { Settings } from '../config/settings.ts';
import { toIndexed, type IndexedLive } from '../history/reconciler/reconcile.ts';
import type { Change } from '../informers/changes.ts';
import type { AnnotationCodec } from '../kube/annotation-codec.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import { backgroundComponent } from './components.ts';
import type { Component } from './lifecycle.ts';
import type { PrefixGuard } from './prefix-guard.ts';
import { auditTasks, createReflectors, runTasks, type Reflectors } from './reflectors.ts';
import type { StorageRestore } from './storage-restore.ts';

/** The `informer` label of its metrics. */
const INFORMER = 'secrets';
/** Namespaces, and sets of access rules, of which one copy is kept. */
const MOST_SHARED = 10_000;

/** The change of a Secret object, live or history. */
export type SecretChange = Change<SecretRecord<IndexedLive>>;

/** The one list and watch of Secrets, or one for each namespace that the scope names. */
export interface SecretsWatch {
  /** Live Secrets as lists need them; undefined when SERVICE_LIST_CACHE is false. */
  readonly listed: Reflectors<SecretTable<CachedSecret>> | undefined;
  readonly all: Reflectors<SecretTable<IndexedLive>>;
  /** Called with every change after it is stored. */
  onChange(handler: (change: SecretChange) => void): void;
  readonly component: Component;
}

export interface SecretsWatchOptions {
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

/**
 * Follows all Secrets in scope, history objects included, for lists and for the history. So both are of the same
 * revision, and the cluster sends each event once. Without lists from memory the values are not transferred.
 */
export function createSecretsWatch(options: SecretsWatchOptions): SecretsWatch {
  const { settings, cluster, prefix } = options;
  const handlers: ((change: SecretChange) => void)[] = [];
  const onChange = (change: SecretChange): void => {
    for (const handle of handlers) handle(change);
  };
  const listed = settings.lists.cache ? watchWhole(options, onChange) : undefined;
  const all = listed ?? watchMetadata(options, onChange);
  const metadataOf = (place: Parameters<typeof watchSecretIdentities>[1]) =>
    watchSecretIdentities(cluster.gateway, place);
  const tasks = [
    ...runTasks(all),
    ...auditTasks({ ...options, informer: INFORMER, reflectors: all, metadataOf }),
  ];
  return {
    listed,
    all,
    onChange: (handler) => {
      handlers.push(handler);
    },
    component: backgroundComponent('secrets watch', tasks.map(prefix.whenSettled)),
  };
}

type OnChange = (change: SecretChange) => void;

function watchWhole(
  { settings, scope, cluster, codec, logger, metrics, restore }: SecretsWatchOptions,
  onChange: OnChange,
): Reflectors<SecretTable<CachedSecret>> {
  const shared = createSharedValues(MOST_SHARED);
  const keep: KeepSecret<SecretRecord<CachedSecret>> = {
    known: ({ namespace, name }) => reflectors.of(namespace)?.objects.get(namespace, name),
    live: createKeepLive(shared),
    history: createKeepHistory(shared),
  };
  const reflectors = createReflectors<
    SecretRecord<CachedSecret>,
    SecretRecord<CachedSecret>,
    SecretTable<CachedSecret>
  >({
    informer: INFORMER,
    places: scope.places,
    sourceOf: (place) => watchSecrets(cluster.gateway, codec, place, keep),
    project: (record) => record,
    createTable: createSecretTables<CachedSecret>({
      sizeOf: ({ length }) => length,
      // Those with a certificate, so that a scrape need not go through all.
      tracks: ({ notAfter }) => notAfter !== undefined,
    }),
    onChange,
    maxSilenceMs: settings.lists.maxSilenceMs,
    logger,
    metrics,
    restore,
  });
  return reflectors;
}

function watchMetadata(
  { scope, cluster, codec, logger, metrics, restore }: SecretsWatchOptions,
  onChange: OnChange,
): Reflectors<SecretTable<IndexedLive>> {
  const shared = createSharedValues(MOST_SHARED);
  const keepHistory = createKeepHistory(shared);
  return createReflectors({
    informer: INFORMER,
    places: scope.places,
    sourceOf: (place) => watchSecretMetadata(cluster.gateway, codec, place),
    project: (object) =>
      keepHistory(object) ?? toIndexed({ ...object, namespace: shared.text(object.namespace) }),
    createTable: createSecretTables<IndexedLive>({}),
    onChange,
    logger,
    metrics,
    restore,
  });
}
