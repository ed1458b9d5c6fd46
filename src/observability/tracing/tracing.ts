/**
 * The attributes of spans: a closed list, as for log lines. None of them may contain a secret value, a key, the name of a Secret, a
 * query, an email or text of the cluster or a client. `docs/observability.md` describes each.
 */
export const SPAN_ATTRIBUTES = [
  'error.type',
  'http.request.method',
  'http.request.resend_count',
  'http.response.status_code',
  'http.route',
  'k8s.namespace.name',
  'reconcile.outcome',
  'request.id',
  'server.address',
  'server.port',
  'url.template',
] as const;

export type SpanAttribute = (typeof SPAN_ATTRIBUTES)[number];
export type SpanAttributes = Readonly<Partial<Record<SpanAttribute, string | number | undefined>>>;

/** How a span ends. */
export interface SpanEnd {
  /** Replaces the name that the span was started with. */
  readonly name?: string;
  readonly attributes: SpanAttributes;
  /** Whether the operation failed through no fault of its caller. */
  readonly failed: boolean;
}

export interface Span {
  readonly traceId: string;
  /** The header for requests that are made within the span (W3C Trace Context). */
  readonly traceparent: string;
  /** Runs work within the span: spans and log lines of the work belong to its trace. */
  run<Result>(work: () => Result): Result;
  /** Ends the span once. */
  end(end: SpanEnd): void;
}

/** The traces of this service. It exists only where they are exported. */
export interface Tracing {
  /** @param traceparent the header of the request, which may be any text */
  startRequest(name: string, traceparent: string | undefined): Span;
  /** A piece of work that no request has caused. */
  startWork(name: string): Span;
  /** A request to the cluster within the current span; undefined outside of one. */
  startClientSpan(name: string): Span | undefined;
  /** The trace of the current span. */
  traceId(): string | undefined;
  /** Exports what has ended, within a bound. */
  stop(): Promise<void>;
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
  /** Called with each number of spans that were exported, could not be exported, or did not fit into the queue. */
  readonly onSpans: (outcome: SpanOutcome, count: number) => void;
}

export type SpanOutcome = 'exported' | 'failed' | 'dropped';

export type CreateTracing = (options: TracingOptions) => Tracing;
