import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Span as ApiSpan } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import { createSpanExport } from './span-export.ts';
import {
  SPAN_ATTRIBUTES,
  type Span,
  type SpanAttributes,
  type Tracing,
  type TracingOptions,
} from './tracing.ts';

/** What an export may delay the end of the process. */
const STOP_TIMEOUT_MS = 2_000;
/** Longer than any attribute of the list. */
const MAX_ATTRIBUTE_CHARACTERS = 256;

/**
 * Traces by OpenTelemetry. This module is imported only where traces are exported: without it, none of OpenTelemetry's modules
 * is loaded. Nothing is registered globally.
 */
export function createOpenTelemetry(options: TracingOptions): Tracing {
  const provider = new TracerProvider({
    resource: resourceFromAttributes(options.resource),
    sampler: createSampler(options),
    spanProcessors: [createSpanExport(options)],
    spanLimits: { attributeValueLengthLimit: MAX_ATTRIBUTE_CHARACTERS },
  });
  const tracer = provider.getTracer('secrets-management-service');
  const current = new AsyncLocalStorage<ApiSpan>();
  return {
    startRequest(name, traceparent) {
      const parent = parseTraceparent(traceparent);
      const context =
        parent === undefined
          ? ROOT_CONTEXT
          : trace.setSpanContext(ROOT_CONTEXT, {
              traceId: parent.traceId,
              spanId: parent.spanId,
              traceFlags: parent.sampled ? 1 : 0,
              isRemote: true,
            });
      return spanOf(tracer.startSpan(name, { kind: SpanKind.SERVER }, context), current);
    },
    startWork: (name) => spanOf(tracer.startSpan(name, { kind: SpanKind.INTERNAL }, ROOT_CONTEXT), current),
    startClientSpan(name) {
      const parent = current.getStore();
      if (parent === undefined) return undefined;
      const context = trace.setSpan(ROOT_CONTEXT, parent);
      return spanOf(tracer.startSpan(name, { kind: SpanKind.CLIENT }, context), current);
    },
    traceId: () => current.getStore()?.spanContext().traceId,
    // What could not be exported in time is lost; what failed was counted.
    stop: () =>
      Promise.race([
        provider.shutdown().catch(() => undefined),
        sleep(STOP_TIMEOUT_MS, undefined, { ref: false }),
      ]),
  };
}

function spanOf(span: ApiSpan, current: AsyncLocalStorage<ApiSpan>): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceId,
    traceparent: formatTraceparent({ traceId, spanId, sampled: (traceFlags & 1) === 1 }),
    run: (work) => current.run(span, work),
    end({ name, attributes, failed }) {
      if (name !== undefined) span.updateName(name);
      span.setAttributes(onlyKnown(attributes));
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
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

/** The caller's span, as far as it is used. */
export interface RemoteParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly sampled: boolean;
}

/** Version, trace id, parent id and flags (W3C Trace Context, section 3.2). */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** A later version may append fields, which are not read. */
const MAX_CHARACTERS = 256;

/**
 * Parses a `traceparent` header; undefined if it is absent or malformed, after which a trace of its own begins. `tracestate` is
 * not read: it may contain any text of the client, and nothing here needs it.
 */
export function parseTraceparent(header: string | undefined): RemoteParent | undefined {
  if (header === undefined || header.length > MAX_CHARACTERS) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', rest] = TRACEPARENT.exec(header) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function formatTraceparent({ traceId, spanId, sampled }: RemoteParent): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}
