import type { ServiceError } from '../../errors/service-error.ts';
import { systemCodeOf } from '../../errors/system-codes.ts';
import type { ClusterRequest, Verb } from './request.ts';

/** The result of one attempt, for metrics and logs. It contains no text of the cluster. */
export interface CallRecord {
  readonly verb: Verb;
  /** The plural name of the resource. */
  readonly resource: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  /** The HTTP status, when there was one. */
  readonly status: number | undefined;
  /** `ok`, or the code of the attempt's error. */
  readonly outcome: string;
  /** The error's reason, and the known system code behind it. */
  readonly reason: string | undefined;
  readonly systemCode: string | undefined;
  readonly durationMs: number;
  /** Counts from 1. */
  readonly attempt: number;
}

export type CallObserver = (record: CallRecord) => void;

/** The record of an attempt that failed with `error`, or succeeded. */
export function recordOf(
  { verb, resource, namespace, name }: ClusterRequest,
  error: ServiceError | undefined,
  measured: Pick<CallRecord, 'status' | 'durationMs' | 'attempt'>,
): CallRecord {
  return {
    verb,
    resource: resource.plural,
    namespace,
    name,
    outcome: error?.code ?? 'ok',
    reason: error?.reason,
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
