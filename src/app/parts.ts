import type { NamespaceScope } from '../access/namespace-scope.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { Settings } from '../config/settings.ts';
import type { PrefixGuard } from '../history/reconciler/controller.ts';
import type { AnnotationCodec } from '../kube/annotation-codec.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Tracing } from '../observability/tracing/tracing.ts';

/** What every part of the service gets. */
export interface ServiceBase {
  readonly settings: Settings;
  readonly version: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing | undefined;
}

/** What the parts that use the cluster get. */
export interface ServiceParts extends ServiceBase {
  readonly cluster: Cluster;
  readonly codec: AnnotationCodec;
  readonly scope: NamespaceScope;
  /** No Secret is listed, watched or written before it has settled. */
  readonly prefix: PrefixGuard;
  readonly restore: StorageRestore;
}

export type StorageRestore = ReturnType<typeof createStorageRestore>;

/**
 * A restore of the cluster's storage from a backup. Whichever watch notices it first, everything that was kept of the
 * storage before is forgotten: revisions start again below earlier ones.
 */
export function createStorageRestore({ metrics, logger }: Pick<ServiceBase, 'metrics' | 'logger'>) {
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
