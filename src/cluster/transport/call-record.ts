import type { ServiceError } from '../../errors/service-error.ts';
import { systemCodeOf } from '../../errors/system-codes.ts';
import type { ClusterRequest } from './request.ts';

/** The result of one attempt, for metrics and logs. It contains no text of the cluster. */
export type CallRecord = ReturnType<typeof recordOf>;

export type CallObserver = (record: CallRecord) => void;

interface Measured {
  /** The HTTP status, when there was one. */
  readonly status: number | undefined;
  readonly durationMs: number;
  /** Counts from 1. */
  readonly attempt: number;
}

/** The record of an attempt that failed with `error`, or succeeded. */
export function recordOf(
  { verb, resource, namespace, name }: ClusterRequest,
  error: ServiceError | undefined,
  measured: Measured,
) {
  const outcome: string = error?.code ?? 'ok';
  return {
    verb,
    /** The plural name. */
    resource: resource.plural,
    namespace,
    name,
    /** `ok`, or the code of the error. */
    outcome,
    reason: error?.reason,
    /** The known system code behind it. */
    systemCode: systemCodeOf(error),
    ...measured,
  };
}

/** The span of one attempt. */
export interface CallSpan {
  /** The value of the `traceparent` header. */
  readonly traceparent: string;
  end(record: CallRecord): void;
}

/**
 * Starts the span of an attempt; undefined where nothing is traced.
 * @param template the path, with placeholders for names
 */
export type StartCallSpan = (method: string, template: string) => CallSpan | undefined;
