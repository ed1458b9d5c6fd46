import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/**
 * Every metric of the service, in one table; `docs/metrics.md` is held to it by a test. Labels take values
 * from closed sets only (route patterns, verbs, codes), never names of namespaces, Secrets or people.
 */
export const METRICS = {
  service_http_requests_total: {
    help: 'API requests by method, route pattern and status.',
    labels: ['method', 'route', 'status'],
  },
  service_http_request_duration_seconds: {
    help: 'Time from request to answer, by method and route pattern.',
    labels: ['method', 'route'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  service_cluster_requests_total: {
    help: 'Cluster API requests (each attempt counts) by verb, resource and outcome: a status, or the code of a failure without one.',
    labels: ['verb', 'resource', 'outcome'],
  },
  service_cluster_request_duration_seconds: {
    help: 'Time of one attempt at the cluster API, by verb and resource.',
    labels: ['verb', 'resource'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  service_sign_ins_total: {
    help: 'Sign-in attempts by step (login, callback) and outcome.',
    labels: ['step', 'outcome'],
  },
  service_auth_disabled: {
    help: '1 while AUTH_DISABLED makes every request an administrator, otherwise 0.',
    labels: [],
  },
  service_build_info: {
    help: 'Always 1; the version is in the label.',
    labels: ['version'],
  },
} as const satisfies Record<
  string,
  { readonly help: string; readonly labels: readonly string[]; readonly buckets?: readonly number[] }
>;

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
  /** The exposition text and its content type. */
  expose(): Promise<{ readonly contentType: string; readonly body: string }>;
}

/** Metrics in a registry of their own, with the process's standard ones beside them. */
export function createMetrics(version: string): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const counter = (name: keyof typeof METRICS) =>
    new Counter({ name, help: METRICS[name].help, labelNames: [...METRICS[name].labels], registers });
  const gauge = (name: keyof typeof METRICS) =>
    new Gauge({ name, help: METRICS[name].help, labelNames: [...METRICS[name].labels], registers });
  const histogram = (
    name: 'service_http_request_duration_seconds' | 'service_cluster_request_duration_seconds',
  ) => {
    const { help, labels, buckets } = METRICS[name];
    return new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers });
  };

  const httpRequests = counter('service_http_requests_total');
  const httpDuration = histogram('service_http_request_duration_seconds');
  const clusterRequests = counter('service_cluster_requests_total');
  const clusterDuration = histogram('service_cluster_request_duration_seconds');
  const signIns = counter('service_sign_ins_total');
  const authDisabled = gauge('service_auth_disabled');
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
    async expose() {
      return { contentType: registry.contentType, body: await registry.metrics() };
    },
  };
}
