import { AsyncLocalStorage } from 'node:async_hooks';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Span as ApiSpan } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { TracerProvider } from '@opentelemetry/sdk-trace';
import { createSampler } from './sampler.ts';
import { createSpanExport } from './span-export.ts';
import { formatTraceparent, parseTraceparent } from './traceparent.ts';
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
    stop: () => withinBound(provider.shutdown()),
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

/** What could not be exported in time is lost; what failed was counted. */
async function withinBound(shutdown: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const bound = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, STOP_TIMEOUT_MS);
  });
  await Promise.race([shutdown.catch(() => undefined), bound]);
  clearTimeout(timer);
}
