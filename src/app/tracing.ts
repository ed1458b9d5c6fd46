import type { Settings } from '../config/settings.ts';
import type { Logger } from '../observability/logger.ts';
import type { SpanOutcome } from '../observability/tracing/span-export.ts';
import type { CreateTracing, Tracing } from '../observability/tracing/tracing.ts';
import type { ServiceBase } from './parts.ts';

const SERVICE_NAME = 'secrets-management-service';

/** Loads OpenTelemetry if traces are exported. */
export async function loadTracing({ tracing }: Settings): Promise<CreateTracing | undefined> {
  if (tracing === undefined) return undefined;
  return (await import('../observability/tracing/tracing.ts')).createOpenTelemetry;
}

/** Traces by the settings. Spans are counted; the first of a series of failed exports is logged, and the end of the series. */
export function startTracing(
  { settings: { tracing }, version, metrics, logger }: Omit<ServiceBase, 'tracing'>,
  createTracing: CreateTracing | undefined,
): Tracing | undefined {
  if (tracing === undefined || createTracing === undefined) return undefined;
  const noteExport = exportLog(logger);
  return createTracing({
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
