import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';

/**
 * A restore of the cluster's storage from a backup. Whichever watch notices it first, everything that was kept of the
 * storage before is forgotten: revisions start again below earlier ones.
 */
export interface StorageRestore {
  readonly noticed: () => void;
  onNoticed(forget: () => void): void;
}

export function createStorageRestore(
  metrics: Pick<Metrics, 'inc'>,
  logger: Pick<Logger, 'warn'>,
): StorageRestore {
  const forgets: (() => void)[] = [];
  return {
    noticed: () => {
      logger.warn('storage of the cluster was restored, relisting');
      metrics.inc('service_storage_restores_total');
      for (const forget of forgets) forget();
    },
    onNoticed: (forget) => {
      forgets.push(forget);
    },
  };
}
