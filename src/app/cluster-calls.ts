import type { Credentials } from '../cluster/credentials/credentials.ts';
import type { CallObserver, CallRecord, StartCallSpan } from '../cluster/transport/call-record.ts';
import { connectionHint } from '../errors/system-codes.ts';
import type { Tracing } from '../observability/tracing.ts';
import type { ServiceBase } from './parts.ts';

/** Outcomes of ordinary work: absence is a valid result, and the client resolves races. */
const EXPECTED_OUTCOMES: readonly string[] = ['ok', 'notFound', 'exists', 'conflict'];

type ApiServer = Pick<Credentials, 'server' | 'home'>;

/**
 * Successes are counted. Failures are also logged, since the response to the client does not include the cause; those of
 * an outage are logged together.
 * @param now milliseconds on a clock that never goes back
 */
export function observeClusterCalls(
  { logger, metrics }: Pick<ServiceBase, 'logger' | 'metrics'>,
  server: ApiServer,
  now = () => performance.now(),
): CallObserver {
  const isOfOutage = watchForOutage(logger, server, now);
  return (record) => {
    const { verb, resource, outcome, durationMs } = record;
    metrics.inc('service_cluster_requests_total', { verb, resource, outcome: outcomeLabel(record) });
    metrics.observe('service_cluster_request_duration_seconds', durationMs / 1_000, { verb, resource });
    const isUnremarkable = EXPECTED_OUTCOMES.includes(outcome) || isSmallerNext(record);
    const level = isOfOutage(record) || isUnremarkable ? 'debug' : 'warn';
    logger[level]('cluster request', { ...record, durationMs: Math.round(durationMs) });
  };
}

/** A page of a list that is too long is requested again with a smaller limit; only the last failure is one. */
function isSmallerNext({ verb, outcome }: CallRecord): boolean {
  return verb === 'list' && outcome === 'responseTooLarge';
}

/** Codes of attempts that the cluster did not serve. */
const NOT_SERVED: readonly string[] = ['unavailable', 'uncertain'];
const OUTAGE_REMINDER_MS = 60_000;

const OF_A_KUBECONFIG = { addressSetting: 'KUBECONFIG', authoritySetting: 'KUBECONFIG' };
const OF_A_POD = {
  addressSetting: 'KUBERNETES_SERVICE_HOST',
  authoritySetting: 'the ca.crt of the service account',
};

/**
 * Logs an outage when a second attempt in a row is not served, once a minute, and when it ends.
 * @returns whether an attempt is part of an outage
 */
function watchForOutage(logger: ServiceBase['logger'], { server, home }: ApiServer, now: () => number) {
  const host = new URL(server).host;
  const peer = { name: 'API server', ...(home.inCluster ? OF_A_POD : OF_A_KUBECONFIG) };
  let count = 0;
  let begun = 0;
  let logged = 0;
  const outage = () => ({ host, count, durationMs: Math.round(now() - begun) });
  return ({ outcome, status, reason, systemCode, durationMs }: CallRecord): boolean => {
    if (!NOT_SERVED.includes(outcome)) {
      if (count > 1) logger.info('cluster answers again', outage());
      count = 0;
      return false;
    }
    count += 1;
    if (count === 1) begun = now() - durationMs;
    if (count === 2 || (count > 2 && now() - logged >= OUTAGE_REMINDER_MS)) {
      logged = now();
      const hint = connectionHint(systemCode, peer) ?? REASON_HINTS[reason ?? ''] ?? OTHER_HINT;
      logger.warn('cluster does not answer', { ...outage(), status, reason, systemCode, hint });
    }
    return count > 1;
  };
}

const REASON_HINTS: Readonly<Record<string, string>> = {
  connectionFailed: 'The connection to the API server failed. Check network policies and proxies.',
  clusterTimeout:
    'The API server does not answer in time. Check its load, and network policies that drop packets.',
  clusterThrottled: 'The API server limits the requests of the service. Check its flow control.',
  clusterCredentialsRefused:
    'The API server does not accept the credentials of the service. Check its service account or KUBECONFIG.',
};
const OTHER_HINT = 'The API server, or a proxy in front of it, fails. Check the log of both.';

/** Codes of attempts without a usable response, whatever its status. */
const WITHOUT_ANSWER: readonly string[] = ['unavailable', 'uncertain', 'responseTooLarge', 'internal'];

/**
 * The outcome in one word, for metrics: the status if it says what happened, otherwise the code. A 200 whose body broke
 * off, is too long or is not JSON is no success, and a 404 of a proxy is not the cluster's.
 */
export function outcomeLabel({ status, outcome }: Pick<CallRecord, 'status' | 'outcome'>): string {
  if (status === undefined) return outcome;
  const isOutright = status === 401 || status === 429 || status >= 500;
  return isOutright || !WITHOUT_ANSWER.includes(outcome) ? String(status) : outcome;
}

/** Spans of requests to the cluster, by the semantic conventions for HTTP clients. */
export function callSpans(tracing: Tracing, server: string): StartCallSpan {
  const { hostname, port, protocol } = new URL(server);
  return (method, template) => {
    const span = tracing.startClientSpan(`${method} ${template}`);
    if (span === undefined) return undefined;
    return {
      traceparent: span.traceparent,
      end: ({ namespace, attempt, status, outcome }) => {
        span.end({
          attributes: {
            'http.request.method': method,
            'url.template': template,
            'server.address': hostname,
            'server.port': Number(port === '' ? (protocol === 'https:' ? 443 : 80) : port),
            'k8s.namespace.name': namespace,
            'http.response.status_code': status,
            ...(attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
            ...(outcome !== 'ok' && { 'error.type': outcome }),
          },
          failed: !EXPECTED_OUTCOMES.includes(outcome),
        });
      },
    };
  };
}
