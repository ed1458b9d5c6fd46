import { series, type AlertCase, type Samples } from './case.ts';

const synced = (cache: string): string => series('service_cache_synced', { cache });
const checks = (result: string): string => series('service_cache_checks_total', { result });
const restores = series('service_storage_restores_total', {});

/** Ten lists a minute, some of which were live for `reason`. */
function lists(reason: string, live: number): Samples {
  const of = (source: string, why: string): string =>
    series('service_list_answers_total', { source, reason: why });
  return { [of('cache', '')]: `0+${10 - live}x60`, [of('live', reason)]: `0+${live}x60` };
}

export const CACHE_CASES: readonly AlertCase[] = [
  {
    alert: 'SecretsServiceCacheNotSynced',
    at: '30m',
    fires: { [synced('secrets')]: '1x60', [synced('policies')]: '0x60' },
    staysSilent: { [synced('secrets')]: '0x5 1x60', [synced('policies')]: '1x60' },
  },
  {
    alert: 'SecretsServiceCacheDifference',
    at: '90m',
    fires: { [checks('different')]: '_x80 1x20', [checks('same')]: '0+1x100' },
    staysSilent: { [checks('failed')]: '0+1x100', [checks('same')]: '0+1x100' },
  },
  {
    alert: 'SecretsServiceStorageRestored',
    at: '60m',
    fires: { [restores]: '0x50 1x20' },
    staysSilent: { [restores]: '1x80' },
  },
  {
    alert: 'SecretsServiceListsLive',
    at: '50m',
    fires: lists('behind', 8),
    // Clients that want it so.
    staysSilent: lists('noCache', 8),
  },
];
