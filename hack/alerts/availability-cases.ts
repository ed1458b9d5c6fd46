import { series, type AlertCase, type Samples } from './case.ts';

const ROUTE = '/api/namespaces/:namespace/secrets';
const failures = (code: string): string => series('service_http_failures_total', { route: ROUTE, code });
const refusals = (bound: string): string => series('service_bounds_refused_total', { bound });
const build = (instance = 'a', version = '1.0.0'): string =>
  series('service_build_info', { version }, instance);
const ready = (check: string, instance = 'a'): string => series('service_ready', { check }, instance);

/** Requests a minute, and how many of them are answered 503. */
function requests(all: number, failed: number, minutes: number): Samples {
  const of = (status: string): string =>
    series('service_http_requests_total', { route: ROUTE, method: 'GET', status });
  return { [of('200')]: `0+${all - failed}x${minutes}`, [of('503')]: `0+${failed}x${minutes}` };
}

function durations(route: string, slow: number): Samples {
  const bucket = (le: string): string =>
    series('service_http_request_duration_seconds_bucket', { method: 'GET', route, le });
  return { [bucket('5')]: `0+${100 - slow}x60`, [bucket('10')]: '0+100x60', [bucket('+Inf')]: '0+100x60' };
}

const memory = (metric: string, used: number, of: string): Samples => ({
  [series(metric)]: `${used}x60`,
  [series('service_memory_limit_bytes', { of })]: '1000x60',
});

export const AVAILABILITY_CASES: readonly AlertCase[] = [
  {
    alert: 'SecretsServiceAbsent',
    at: '30m',
    fires: { up: '1x60' },
    staysSilent: { [build()]: '1x60' },
  },
  {
    alert: 'SecretsServiceNoReplicaReady',
    at: '30m',
    fires: { [ready('cluster')]: '0x60', [ready('running')]: '1x60', [ready('cluster', 'b')]: '0x60' },
    staysSilent: { [ready('cluster')]: '0x60', [ready('cluster', 'b')]: '1x60' },
  },
  {
    alert: 'SecretsServiceNotReady',
    at: '30m',
    fires: { [ready('cluster')]: '0x60', [ready('cluster', 'b')]: '1x60' },
    // A replica that is being stopped is meant not to be ready.
    staysSilent: { [ready('running')]: '0x60', [ready('cluster')]: '1x60' },
  },
  {
    alert: 'SecretsServiceErrorsFast',
    at: '70m',
    fires: requests(100, 10, 80),
    staysSilent: requests(100, 5, 80),
  },
  {
    alert: 'SecretsServiceErrorsSlow',
    at: '400m',
    fires: requests(100, 4, 420),
    staysSilent: requests(100, 2, 420),
  },
  {
    alert: 'SecretsServiceSlow',
    at: '40m',
    fires: durations(ROUTE, 5),
    staysSilent: { ...durations(ROUTE, 0), ...durations('/api/auth/callback', 5) },
  },
  {
    alert: 'SecretsServiceDefect',
    at: '30m',
    // The first failure is the beginning of its series.
    fires: { [failures('internal')]: '_x25 1x20' },
    staysSilent: { [failures('internal')]: '1x60' },
  },
  {
    alert: 'SecretsServiceRateLimited',
    at: '30m',
    fires: { [failures('rateLimited')]: '0+30x60' },
    staysSilent: { [failures('rateLimited')]: '0+3x60' },
  },
  {
    alert: 'SecretsServiceOverloaded',
    at: '30m',
    fires: { [refusals('requests_wait')]: '0+30x60' },
    // One person's own bound delays no one else.
    staysSilent: { [refusals('requests_wait')]: '0+3x60', [refusals('requests_person')]: '0+300x60' },
  },
  {
    alert: 'SecretsServiceNearMemoryLimit',
    at: '30m',
    fires: memory('process_resident_memory_bytes', 950, 'process'),
    staysSilent: {
      ...memory('process_resident_memory_bytes', 850, 'process'),
      ...memory('nodejs_heap_size_used_bytes', 850, 'heap'),
    },
  },
  {
    alert: 'SecretsServiceEventLoopBlocked',
    at: '30m',
    fires: { [series('nodejs_eventloop_lag_p99_seconds')]: '0.8x60', [build()]: '1x60' },
    // Another Node.js program of the cluster.
    staysSilent: { [series('nodejs_eventloop_lag_p99_seconds', {}, 'other')]: '0.8x60', [build()]: '1x60' },
  },
  {
    alert: 'SecretsServiceRestarts',
    at: '30m',
    fires: { [series('process_start_time_seconds')]: '10x8 20x8 30x8 40x20', [build()]: '1x60' },
    staysSilent: { [series('process_start_time_seconds')]: '10x20 20x30', [build()]: '1x60' },
  },
  {
    alert: 'SecretsServiceVersionsDiffer',
    at: '90m',
    fires: { [build('a', '1.0.0')]: '1x120', [build('b', '1.1.0')]: '1x120' },
    staysSilent: { [build('a', '1.0.0')]: '1x120', [build('b', '1.0.0')]: '1x120' },
  },
];
