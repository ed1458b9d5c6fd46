import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Span as ApiSpan,
  type SpanContext,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';

/**
 * The attributes of spans: a closed list, as for log lines. None of them may contain a secret value, a key, the name of a Secret, a
 * query, an email or text of the cluster or a client. `docs/observability.md` describes each.
 */
const SPAN_ATTRIBUTES = [
  ...['http.request.method', 'http.request.resend_count', 'http.response.status_code', 'http.route'],
  ...['server.address', 'server.port', 'url.template', 'k8s.namespace.name', 'reconcile.outcome'],
  ...['request.id', 'error.type'],
] as const;

type SpanAttribute = (typeof SPAN_ATTRIBUTES)[number];
type SpanAttributes = Readonly<Partial<Record<SpanAttribute, string | number | undefined>>>;

/** How a span ends. */
interface SpanEnd {
  /** Replaces the name that the span was started with. */
  readonly name?: string;
  readonly attributes: SpanAttributes;
  /** Whether the operation failed through no fault of its caller. */
  readonly failed: boolean;
}

export interface TracingOptions {
  /** Where spans are sent to: OTLP over HTTP, as JSON. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** By its name in the specification of OpenTelemetry. */
  readonly sampler: { readonly name: string; readonly ratio: number };
  /** Whether the sampling decision of a caller counts. */
  readonly trustsParent: boolean;
  /** Attributes of the service itself. */
  readonly resource: Readonly<Record<string, string>>;
  readonly metrics: Pick<Metrics, 'add'>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** The traces of this service. It exists only where they are exported. */
export type Tracing = ReturnType<typeof createOpenTelemetry>;

export type Span = ReturnType<typeof spanOf>;

/** What an export may delay the end of the process. */
const STOP_TIMEOUT_MS = 2_000;
/** Longer than any attribute of the list. */
const MAX_ATTRIBUTE_CHARACTERS = 256;

/**
 * Traces by OpenTelemetry. Where no traces are exported, others import types alone of this module, so that none of
 * OpenTelemetry's modules is loaded. Nothing is registered globally.
 */
export function createOpenTelemetry(options: TracingOptions) {
  const provider = new TracerProvider({
    resource: resourceFromAttributes(options.resource),
    sampler: createSampler(options),
    spanProcessors: [createSpanExport(options)],
    spanLimits: { attributeValueLengthLimit: MAX_ATTRIBUTE_CHARACTERS },
  });
  const tracer = provider.getTracer('secrets-management-service');
  const current = new AsyncLocalStorage<ApiSpan>();
  return {
    /** @param traceparent the header of the request, which may be any text */
    startRequest(name: string, traceparent: string | undefined) {
      const parent = parseTraceparent(traceparent);
      const context = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
      return spanOf(tracer.startSpan(name, { kind: SpanKind.SERVER }, context), current);
    },
    /** A piece of work that no request has caused. */
    startWork: (name: string) =>
      spanOf(tracer.startSpan(name, { kind: SpanKind.INTERNAL }, ROOT_CONTEXT), current),
    /** A request to the cluster within the current span; undefined outside of one. */
    startClientSpan(name: string) {
      const parent = current.getStore();
      if (parent === undefined) return undefined;
      const context = trace.setSpan(ROOT_CONTEXT, parent);
      return spanOf(tracer.startSpan(name, { kind: SpanKind.CLIENT }, context), current);
    },
    /** The trace of the current span. */
    traceId: () => current.getStore()?.spanContext().traceId,
    /** Exports what has ended, within a bound. What could not be exported in time is lost; what failed was counted. */
    stop: (): Promise<void> =>
      Promise.race([
        provider.shutdown().catch(() => undefined),
        sleep(STOP_TIMEOUT_MS, undefined, { ref: false }),
      ]),
  };
}

function spanOf(span: ApiSpan, current: AsyncLocalStorage<ApiSpan>) {
  const context = span.spanContext();
  return {
    traceId: context.traceId,
    /** The header for requests that are made within the span (W3C Trace Context). */
    traceparent: formatTraceparent(context),
    /** Runs work within the span: spans and log lines of the work belong to its trace. */
    run: <Result>(work: () => Result): Result => current.run(span, work),
    /** Ends the span once. */
    end({ name, attributes, failed }: SpanEnd): void {
      if (name !== undefined) span.updateName(name);
      span.setAttributes(onlyKnown(attributes));
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** Spans that wait for export. Further ones are dropped. */
const MAX_QUEUED_SPANS = 2_048;
const MAX_BATCH_SPANS = 512;
const BATCH_DELAY_MS = 2_000;
const EXPORT_TIMEOUT_MS = 5_000;
/** A receiver that never ends its responses holds this many of them, and then gets nothing further. */
const MAX_EXPORTS_AT_ONCE = 2;

/** Of the ExportResultCode of @opentelemetry/core. */
const SUCCESS = 0;

/**
 * Exports ended spans in batches, in the background, and counts what becomes of them. The first of a series of failed
 * exports is logged, and the end of the series.
 */
function createSpanExport({ url, headers, metrics, logger }: TracingOptions): SpanProcessor {
  let queued = 0;
  let isFailing = false;
  const noteExport = (fails: boolean, count: number): void => {
    metrics.add('service_trace_spans_total', count, { outcome: fails ? 'failed' : 'exported' });
    if (fails === isFailing) return;
    isFailing = fails;
    if (fails) logger.warn('cannot export traces', { variable: 'OTEL_EXPORTER_OTLP_ENDPOINT' });
    else logger.info('traces are exported again');
  };
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
        noteExport(code !== SUCCESS, spans.length);
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
        metrics.add('service_trace_spans_total', 1, { outcome: 'dropped' });
        return;
      }
      queued += 1;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  };
}

function onlyKnown(attributes: SpanAttributes): Record<string, string | number> {
  const known = SPAN_ATTRIBUTES.flatMap((name) => {
    const value = attributes[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(known);
}

/**
 * The sampler of requests and other work; the spans below follow its decision.
 *
 * A caller chooses the flag of `traceparent`, and with the trace id also the outcome of a ratio. So neither decides unless
 * callers are trusted: the decision about a request is the one that a new trace would get.
 */
export function createSampler({
  sampler,
  trustsParent,
}: Pick<TracingOptions, 'sampler' | 'trustsParent'>): Sampler {
  const root = rootSampler(sampler);
  if (trustsParent && sampler.name.startsWith('parentbased_')) return new ParentBasedSampler({ root });
  const remote = trustsParent ? root : asForNewTrace(root);
  return new ParentBasedSampler({ root, remoteParentSampled: remote, remoteParentNotSampled: remote });
}

function rootSampler({ name, ratio }: TracingOptions['sampler']): Sampler {
  if (name.endsWith('always_off')) return new AlwaysOffSampler();
  if (name.endsWith('traceidratio')) return new TraceIdRatioBasedSampler(ratio);
  return new AlwaysOnSampler();
}

function asForNewTrace(root: Sampler): Sampler {
  return {
    shouldSample: (context, _traceId, ...rest) =>
      root.shouldSample(context, randomBytes(16).toString('hex'), ...rest),
    toString: () => `AsForNewTrace{${root.toString()}}`,
  };
}

/** Version, trace id, parent id and flags (W3C Trace Context, section 3.2). */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** A later version may append fields, which are not read. */
const MAX_CHARACTERS = 256;

/**
 * Parses a `traceparent` header; undefined if it is absent or malformed, after which a trace of its own begins. `tracestate` is
 * not read: it may contain any text of the client, and nothing here needs it.
 */
export function parseTraceparent(header: string | undefined): SpanContext | undefined {
  if (header === undefined || header.length > MAX_CHARACTERS) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', rest] = TRACEPARENT.exec(header) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return { traceId, spanId, traceFlags, isRemote: true };
}

export function formatTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`;
}
