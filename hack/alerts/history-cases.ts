import { series, type AlertCase } from './case.ts';

const failures = (code: string): string =>
  series('service_http_failures_total', { route: '/api/namespaces/:namespace/secrets/:name', code });
const leader = (instance: string): string => series('service_leader', {}, instance);
const reconciles = (outcome: string): string => series('service_reconcile_total', { outcome });
const snapshots = (state: string): string => series('service_history_snapshots', { state });

export const HISTORY_CASES: readonly AlertCase[] = [
  {
    alert: 'SecretsServiceHistoryUnavailable',
    at: '30m',
    fires: { [failures('historyUnavailable')]: '_x25 1x20' },
    staysSilent: { [failures('snapshotCollision')]: '0+1x60' },
  },
  {
    alert: 'SecretsServiceHistoryUnattended',
    at: '30m',
    fires: { [leader('a')]: '0x60', [leader('b')]: '0x60' },
    staysSilent: { [leader('a')]: '0x60', [leader('b')]: '1x60' },
  },
  {
    alert: 'SecretsServiceReconcileStuck',
    at: '40m',
    fires: { [series('service_reconcile_queue_age_seconds')]: '0+60x60' },
    staysSilent: { [series('service_reconcile_queue_age_seconds')]: '300x60' },
  },
  {
    alert: 'SecretsServiceReconcileFailing',
    at: '60m',
    fires: { [reconciles('terminal')]: '_x50 1x20' },
    staysSilent: { [reconciles('retry')]: '0+5x90', [reconciles('terminal')]: '1x90' },
  },
  {
    alert: 'SecretsServiceHistoryInconsistent',
    at: '30m',
    fires: { [snapshots('inconsistent')]: '2x60', [snapshots('bound')]: '10x60' },
    staysSilent: { [snapshots('inconsistent')]: '0x60', [snapshots('orphaned')]: '5x60' },
  },
];
