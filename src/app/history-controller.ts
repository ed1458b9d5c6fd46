import { createHistoryIndex } from '../caches/history-index.ts';
import { createSecretMetadataStore } from '../cluster/stores/secret-store.ts';
import { keyOf, partsOf, type SnapshotStatistics } from '../history/history.ts';
import {
  HistoryController,
  type HistoryControllerOptions,
  type WatchedHistory,
} from '../history/reconciler/controller.ts';
import { systemClock } from '../timing/clock.ts';
import { backgroundComponent } from './lifecycle.ts';
import type { ServiceParts } from './parts.ts';
import type { SecretRecordChange, SecretsWatch } from './secrets-watch.ts';

/**
 * Reconciles the history of the watched Secrets. The start does not wait for the cluster; the controller retries while
 * the cluster is unreachable.
 */
export function createHistoryComponent(
  parts: ServiceParts,
  secrets: SecretsWatch,
  own: Pick<HistoryControllerOptions, 'installation' | 'lease' | 'ownLease'>,
) {
  const { settings, cluster, codec, prefix } = parts;
  const controller = new HistoryController({
    ...parts,
    ...own,
    orphanTtlMs: settings.secrets.orphanTtlMs,
    watched: watchedHistory(secrets),
    store: createSecretMetadataStore(cluster.gateway, codec),
    clusterNow: cluster.gateway.serverNow,
    logger: parts.logger.with({ component: 'history' }),
  });
  secrets.onChange((change) => {
    controller.changed(keysOf(change));
  });
  return {
    component: backgroundComponent('history', [prefix.whenSettled((signal) => controller.run(signal))]),
    index: createHistoryIndex({
      reflectorOf: (namespace) => secrets.all.of(namespace),
      clock: systemClock,
    }),
    /** For `/readyz`. */
    notes: () => controller.notes(),
  };
}

function watchedHistory({ all: reflectors }: Pick<SecretsWatch, 'all'>): WatchedHistory {
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

function keysOf(change: SecretRecordChange): ReadonlySet<string> {
  const values = change.kind === 'deleted' ? [change.previous] : [change.value, change.previous];
  return new Set(values.flatMap((value) => (value === undefined ? [] : [keyOf(value)])));
}
