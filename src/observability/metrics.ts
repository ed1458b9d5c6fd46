import { Registry, collectDefaultMetrics } from 'prom-client';
import { metricMakers } from './metric-makers.ts';
import { createReconcilerMetrics, type ReconcilerMetrics } from './reconciler-metrics.ts';
import { createWatchMetrics, type WatchMetrics } from './watch-metrics.ts';

export { METRICS } from './metric-table.ts';

export interface HttpObservation {
  readonly method: string;
  /** The route's pattern, never the requested path. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

export interface ClusterObservation {
  readonly verb: string;
  readonly resource: string;
  readonly outcome: string;
  readonly seconds: number;
}

export interface Metrics {
  observeHttp(observation: HttpObservation): void;
  observeCluster(observation: ClusterObservation): void;
  countSignIn(step: 'login' | 'callback', outcome: string): void;
  setAuthDisabled(disabled: boolean): void;
  readonly reconciler: ReconcilerMetrics;
  readonly watches: WatchMetrics;
  /** Calls `sample` before each exposition, to set what is cheaper to ask for than to follow. */
  onExpose(sample: () => void): void;
  /** The exposition text and its content type. */
  expose(): Promise<{ readonly contentType: string; readonly body: string }>;
}

/** Metrics in a registry of their own, with the process's standard ones beside them. */
export function createMetrics(version: string): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });

  const { counter, gauge, histogram } = metricMakers(registry);
  const httpRequests = counter('service_http_requests_total');
  const httpDuration = histogram('service_http_request_duration_seconds');
  const clusterRequests = counter('service_cluster_requests_total');
  const clusterDuration = histogram('service_cluster_request_duration_seconds');
  const signIns = counter('service_sign_ins_total');
  const authDisabled = gauge('service_auth_disabled');
  const samples: (() => void)[] = [];
  gauge('service_build_info').set({ version }, 1);
  authDisabled.set(0);

  return {
    observeHttp({ method, route, status, seconds }) {
      httpRequests.inc({ method, route, status });
      httpDuration.observe({ method, route }, seconds);
    },
    observeCluster({ verb, resource, outcome, seconds }) {
      clusterRequests.inc({ verb, resource, outcome });
      clusterDuration.observe({ verb, resource }, seconds);
    },
    countSignIn(step, outcome) {
      signIns.inc({ step, outcome });
    },
    setAuthDisabled(disabled) {
      authDisabled.set(disabled ? 1 : 0);
    },
    reconciler: createReconcilerMetrics({ counter, gauge, histogram }),
    watches: createWatchMetrics({ counter, gauge }),
    onExpose(sample) {
      samples.push(sample);
    },
    async expose() {
      for (const sample of samples) sample();
      return { contentType: registry.contentType, body: await registry.metrics() };
    },
  };
}
