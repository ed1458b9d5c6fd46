import type { Settings } from '../config/settings.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { SpanOutcome } from '../observability/tracing/span-export.ts';

const SERVICE_NAME = 'secrets-management-service';

/**
 * Traces by the settings; OpenTelemetry is loaded only where traces are exported. Spans are counted; the first of a series
 * of failed exports is logged, and the end of the series.
 */
export async function startTracing({ tracing }: Settings, version: string, metrics: Metrics, logger: Logger) {
  if (tracing === undefined) return undefined;
  const { createOpenTelemetry } = await import('../observability/tracing/tracing.ts');
  const noteExport = exportLog(logger);
  return createOpenTelemetry({
    ...tracing,
    resource: { 'service.name': SERVICE_NAME, 'service.version': version, ...tracing.resource },
    onSpans: (outcome, count) => {
      metrics.add('service_trace_spans_total', count, { outcome });
      noteExport(outcome);
    },
  });
}

function exportLog(logger: Logger): (outcome: SpanOutcome) => void {
  let failing = false;
  return (outcome) => {
    const fails = outcome === 'failed';
    if (outcome === 'dropped' || fails === failing) return;
    failing = fails;
    if (fails) logger.warn('cannot export traces', { variable: 'OTEL_EXPORTER_OTLP_ENDPOINT' });
    else logger.info('traces are exported again');
  };
}
