import { Registry, collectDefaultMetrics } from 'prom-client';
import { memoryLimits } from './memory-limits.ts';
import { metricMakers, type MetricMakers } from './metric-makers.ts';
import { createBoundMetrics, type BoundMetrics } from './bound-metrics.ts';
import { createListMetrics, type ListMetrics } from './list-metrics.ts';
import { createReconcilerMetrics, type ReconcilerMetrics } from './reconciler-metrics.ts';
import { createTlsMetrics, type TlsMetrics } from './tls-metrics.ts';
import { createWatchMetrics, type WatchMetrics } from './watch-metrics.ts';

export { METRICS } from './metric-table.ts';

export interface HttpObservation {
  readonly method: string;
  /** The route's pattern, never the requested path. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
  /** The code of the request's error. */
  readonly failure?: string | undefined;
}

export interface ClusterObservation {
  readonly verb: string;
  readonly resource: string;
  readonly outcome: string;
  readonly seconds: number;
}

export interface Metrics {
  /** A request has begun; `observeHttp` is called once it has ended. */
  beginHttp(): void;
  observeHttp(observation: HttpObservation): void;
  observeCluster(observation: ClusterObservation): void;
  /** What became of spans: exported, failed or dropped. */
  countSpans(outcome: string, count: number): void;
  countSignIn(step: 'login' | 'callback', outcome: string): void;
  /** The result of UserInfo in a login: `ok`, or why it failed. */
  countUserInfo(outcome: string): void;
  setAuthDisabled(disabled: boolean): void;
  readonly bounds: BoundMetrics;
  readonly lists: ListMetrics;
  /** Whether sign-in has a usable signing key, or needs none. */
  setSigningKeyValid(valid: boolean): void;
  /** Whether sessions of a former signing key are still accepted. */
  setFormerSigningKey(accepted: boolean): void;
  /** How many entries end sessions early, and how many are malformed. */
  setRevocations(effective: number, malformed: number): void;
  readonly setReady: (check: string, ready: boolean) => void;
  readonly reconciler: ReconcilerMetrics;
  readonly tls: TlsMetrics;
  readonly watches: WatchMetrics;
  /** Calls `sample` before each exposition, to set values that are cheaper to compute than to update. */
  onExpose(sample: () => void): void;
  /** The exposition text and its content type. */
  expose(): Promise<{ readonly contentType: string; readonly body: string }>;
}

/** Metrics in a registry of their own, together with the process's standard ones. */
export function createMetrics(version: string): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const makers = metricMakers(registry);
  setConstants(makers, version);
  const samples: (() => void)[] = [];
  return {
    ...createHttpMetrics(makers),
    ...createClusterMetrics(makers),
    ...createSignInMetrics(makers),
    setReady: createReadySetter(makers),
    bounds: createBoundMetrics(makers),
    lists: createListMetrics(makers),
    reconciler: createReconcilerMetrics(makers),
    tls: createTlsMetrics(makers),
    watches: createWatchMetrics(makers),
    onExpose(sample) {
      samples.push(sample);
    },
    async expose() {
      for (const sample of samples) sample();
      return { contentType: registry.contentType, body: await registry.metrics() };
    },
  };
}

/** What does not change while the process runs. */
function setConstants({ gauge }: MetricMakers, version: string): void {
  gauge('service_build_info').set({ version }, 1);
  const memoryLimit = gauge('service_memory_limit_bytes');
  for (const [of, bytes] of Object.entries(memoryLimits())) memoryLimit.set({ of }, bytes);
}

function createHttpMetrics({
  counter,
  gauge,
  histogram,
}: MetricMakers): Pick<Metrics, 'beginHttp' | 'observeHttp'> {
  const requests = counter('service_http_requests_total');
  const duration = histogram('service_http_request_duration_seconds');
  const inFlight = gauge('service_http_requests_in_flight');
  const failures = counter('service_http_failures_total');
  return {
    beginHttp() {
      inFlight.inc();
    },
    observeHttp({ method, route, status, seconds, failure }) {
      inFlight.dec();
      requests.inc({ method, route, status });
      duration.observe({ method, route }, seconds);
      if (failure !== undefined) failures.inc({ route, code: failure });
    },
  };
}

function createClusterMetrics({
  counter,
  histogram,
}: MetricMakers): Pick<Metrics, 'observeCluster' | 'countSpans'> {
  const requests = counter('service_cluster_requests_total');
  const duration = histogram('service_cluster_request_duration_seconds');
  const spans = counter('service_trace_spans_total');
  return {
    countSpans(outcome, count) {
      spans.inc({ outcome }, count);
    },
    observeCluster({ verb, resource, outcome, seconds }) {
      requests.inc({ verb, resource, outcome });
      duration.observe({ verb, resource }, seconds);
    },
  };
}

type SignInMetrics = Pick<
  Metrics,
  | 'countSignIn'
  | 'countUserInfo'
  | 'setAuthDisabled'
  | 'setSigningKeyValid'
  | 'setFormerSigningKey'
  | 'setRevocations'
>;

function createSignInMetrics({ counter, gauge }: MetricMakers): SignInMetrics {
  const signIns = counter('service_sign_ins_total');
  const userInfo = counter('service_userinfo_reads_total');
  const authDisabled = gauge('service_auth_disabled');
  const signingKeyValid = gauge('service_signing_key_valid');
  const revocations = gauge('service_session_revocations');
  const formerSigningKey = gauge('service_former_signing_key');
  authDisabled.set(0);
  return {
    countSignIn(step, outcome) {
      signIns.inc({ step, outcome });
    },
    countUserInfo(outcome) {
      userInfo.inc({ outcome });
    },
    setAuthDisabled(disabled) {
      authDisabled.set(disabled ? 1 : 0);
    },
    setSigningKeyValid(valid) {
      signingKeyValid.set(valid ? 1 : 0);
    },
    setFormerSigningKey(accepted) {
      formerSigningKey.set(accepted ? 1 : 0);
    },
    setRevocations(effective, malformed) {
      revocations.set({ state: 'effective' }, effective);
      revocations.set({ state: 'malformed' }, malformed);
    },
  };
}

function createReadySetter({ gauge }: MetricMakers): Metrics['setReady'] {
  const ready = gauge('service_ready');
  return (check, passes) => {
    ready.set({ check }, passes ? 1 : 0);
  };
}
