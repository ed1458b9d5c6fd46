import type { Settings } from '../config/settings.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { SpanOutcome } from '../observability/tracing/span-export.ts';
import type { CreateTracing, Tracing } from '../observability/tracing/tracing.ts';
import type { Component } from './lifecycle.ts';

const SERVICE_NAME = 'secrets-management-service';

/** Loads OpenTelemetry if traces are exported. */
export async function loadTracing({ tracing }: Settings): Promise<CreateTracing | undefined> {
  if (tracing === undefined) return undefined;
  return (await import('../observability/tracing/tracing.ts')).createOpenTelemetry;
}

interface TracingDependencies {
  readonly version: string;
  readonly metrics: Pick<Metrics, 'add'>;
  readonly logger: Logger;
}

/** Traces by the settings. Spans are counted; the first of a series of failed exports is logged, and the end of the series. */
export function startTracing(
  { tracing }: Settings,
  createTracing: CreateTracing | undefined,
  { version, metrics, logger }: TracingDependencies,
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

/** Stopped last, so that the spans of all others are exported. */
export function tracingComponent(tracing: Tracing): Component {
  return { name: 'tracing', stop: () => tracing.stop() };
}
