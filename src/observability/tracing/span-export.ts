import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BatchSpanProcessor, type SpanExporter, type SpanProcessor } from '@opentelemetry/sdk-trace';

export interface SpanExportOptions {
  /** Where spans are sent to: OTLP over HTTP, as JSON. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Called with each number of spans that were exported, could not be exported, or did not fit into the queue. */
  readonly onSpans: (outcome: SpanOutcome, count: number) => void;
}

export type SpanOutcome = 'exported' | 'failed' | 'dropped';

/** Spans that wait for export. Further ones are dropped. */
const MAX_QUEUED_SPANS = 2_048;
const MAX_BATCH_SPANS = 512;
const BATCH_DELAY_MS = 2_000;
const EXPORT_TIMEOUT_MS = 5_000;
/** A receiver that never ends its responses holds this many of them, and then gets nothing further. */
const MAX_EXPORTS_AT_ONCE = 2;

/** Of the ExportResultCode of @opentelemetry/core. */
const SUCCESS = 0;

/** Exports ended spans in batches, in the background, and counts what becomes of them. */
export function createSpanExport({ url, headers, onSpans }: SpanExportOptions): SpanProcessor {
  let queued = 0;
  const exporter = new OTLPTraceExporter({
    url,
    headers: { ...headers },
    timeoutMillis: EXPORT_TIMEOUT_MS,
    concurrencyLimit: MAX_EXPORTS_AT_ONCE,
  });
  const counted: SpanExporter = {
    export: (spans, report) => {
      queued -= spans.length;
      exporter.export(spans, (result) => {
        const code: number = result.code;
        onSpans(code === SUCCESS ? 'exported' : 'failed', spans.length);
        report(result);
      });
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
  const batches = new BatchSpanProcessor({
    exporter: counted,
    maxQueueSize: MAX_QUEUED_SPANS,
    maxExportBatchSize: MAX_BATCH_SPANS,
    scheduledDelayMillis: BATCH_DELAY_MS,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
  });
  return {
    onStart: (span, context) => {
      batches.onStart(span, context);
    },
    onEnd: (span) => {
      // The processor drops it, and does not report it.
      if (queued >= MAX_QUEUED_SPANS) {
        onSpans('dropped', 1);
        return;
      }
      queued += 1;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  };
}
