import { series, type AlertCase, type Samples } from './case.ts';

const failures = (code: string): string =>
  series('service_http_failures_total', { route: '/api/namespaces/:namespace/secrets/:name', code });
const silence = series('service_watch_silence_seconds', { informer: 'secrets' });
const rightsMissing = series('service_watch_rights_missing', { informer: 'secrets' });
const watches = series('service_watches', { informer: 'secrets' });
const relists = (reason: string): string =>
  series('service_watch_relists_total', { informer: 'secrets', reason });

/** A hundred attempts a minute, some of which come to `outcome`. */
function attempts(outcome: string, failed: number): Samples {
  const of = (came: string): string =>
    series('service_cluster_requests_total', { verb: 'get', resource: 'secrets', outcome: came });
  return { [of('200')]: `0+${100 - failed}x60`, [of(outcome)]: `0+${failed}x60` };
}

function durations(verb: string): Samples {
  const bucket = (le: string): string =>
    series('service_cluster_request_duration_seconds_bucket', { verb, resource: 'secrets', le });
  return { [bucket('2.5')]: '0+90x60', [bucket('5')]: '0+100x60', [bucket('+Inf')]: '0+100x60' };
}

export const CLUSTER_CASES: readonly AlertCase[] = [
  {
    alert: 'SecretsServiceClusterFailing',
    at: '30m',
    fires: attempts('unavailable', 20),
    // Absence and races are answers.
    staysSilent: attempts('404', 50),
  },
  {
    alert: 'SecretsServiceClusterSlow',
    at: '40m',
    fires: durations('get'),
    staysSilent: durations('watch'),
  },
  {
    alert: 'SecretsServiceRightMissing',
    at: '30m',
    fires: { [failures('rbacForbidden')]: '_x25 1x20' },
    staysSilent: { [failures('forbidden')]: '0+5x60' },
  },
  {
    alert: 'SecretsServiceWatchRightMissing',
    at: '30m',
    fires: { [rightsMissing]: '1x60' },
    staysSilent: { [rightsMissing]: '0x60' },
  },
  {
    alert: 'SecretsServiceWatchSilent',
    at: '30m',
    fires: { [silence]: '0+60x60', [rightsMissing]: '0x60' },
    // Without the right nothing can be received, which has an alert of its own; another replica is well.
    staysSilent: {
      [silence]: '0+60x60',
      [rightsMissing]: '1x60',
      [series('service_watch_silence_seconds', { informer: 'secrets' }, 'b')]: '80x60',
    },
  },
  {
    alert: 'SecretsServiceRelistStorm',
    at: '60m',
    fires: { [relists('expired')]: '0+1x90', [watches]: '1x90' },
    // Twenty namespaces, each listed again three times within half an hour.
    staysSilent: { [relists('expired')]: '0+2x90', [watches]: '20x90' },
  },
  {
    alert: 'SecretsServiceUncertainWrites',
    at: '30m',
    fires: { [failures('uncertain')]: '0x25 1x20' },
    staysSilent: { [failures('unavailable')]: '0+1x60' },
  },
  {
    alert: 'SecretsServicePolicyUnavailable',
    at: '30m',
    fires: { [failures('policyUnavailable')]: '0+1x60' },
    staysSilent: { [failures('policyUnavailable')]: '3x60' },
  },
  {
    alert: 'SecretsServiceListsRefused',
    at: '30m',
    fires: { [failures('listOverBudget')]: '0+1x60' },
    staysSilent: { [failures('listInconsistent')]: '0x25 1x30' },
  },
];
