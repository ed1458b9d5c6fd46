import type { CallRecord, StartCallSpan } from '../cluster/transport/call-record.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Tracing } from '../observability/tracing/tracing.ts';

/** Outcomes of ordinary work: absence is a valid result, and the client resolves races. */
const EXPECTED_OUTCOMES: readonly string[] = ['ok', 'notFound', 'exists', 'conflict'];

function isExpectedOutcome(outcome: string): boolean {
  return EXPECTED_OUTCOMES.includes(outcome);
}

/** Successes are counted. Failures are also logged, since the response to the client does not include the cause. */
export function observeClusterCall(record: CallRecord, metrics: Metrics, logger: Logger): void {
  const { verb, resource, status, outcome, durationMs } = record;
  metrics.inc('service_cluster_requests_total', { verb, resource, outcome: outcomeLabel(record) });
  metrics.observe('service_cluster_request_duration_seconds', durationMs / 1_000, { verb, resource });
  const level = isExpectedOutcome(outcome) ? 'debug' : 'warn';
  logger[level]('cluster request', {
    verb,
    resource,
    namespace: record.namespace,
    name: record.name,
    status,
    outcome,
    reason: record.reason,
    systemCode: record.systemCode,
    attempt: record.attempt,
    durationMs: Math.round(durationMs),
  });
}

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
export function callSpans(tracing: Tracing): StartCallSpan {
  return ({ method, template, namespace, server, attempt }) => {
    const span = tracing.startClientSpan(`${method} ${template}`);
    if (span === undefined) return undefined;
    const { hostname, port, protocol } = new URL(server);
    return {
      traceparent: span.traceparent,
      end: ({ status, outcome }) => {
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
          failed: !isExpectedOutcome(outcome),
        });
      },
    };
  };
}
