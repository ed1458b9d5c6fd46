import { isServiceError } from '../../errors/service-error.ts';
import { backOffMs } from '../../timing/back-off.ts';
import type { Deadline } from '../../timing/deadline.ts';
import { eventLoopTurns } from '../../timing/event-loop-yielder.ts';
import { parseJson } from '../objects/raw-object.ts';
import type { Transport } from './connections.ts';
import { lostFailure, unusableFailure, type Failure } from './errors.ts';
import { headerOf, LARGE_BYTES, readBody, readFailure, send, startAttemptTimeout } from './http-request.ts';
import { parseList } from './parse-list.ts';
import type { ClusterReply, ClusterRequest } from './request.ts';

/** The result of one attempt of a request; `status` is the HTTP status, if there was one. */
export type Attempt =
  | { readonly reply: ClusterReply; readonly failure?: undefined; readonly status: number }
  | { readonly reply?: undefined; readonly failure: Failure; readonly status: number | undefined };

/** Enough for any single object, and for every response to a write. */
const DEFAULT_MAX_BYTES = 8 * 1_024 * 1_024;

/**
 * Sends the request once. Rejects only for names that cannot be part of a path.
 * @param traceparent the header that makes the cluster's spans part of the trace
 */
export async function attemptOnce(
  request: ClusterRequest,
  deadline: Deadline,
  transport: Transport,
  traceparent: string | undefined,
): Promise<Attempt> {
  const remainingMs = deadline.remainingMs();
  const timeout = startAttemptTimeout(deadline.signal, Math.min(transport.timeoutMs, remainingMs));
  const { signal, stopTimer } = timeout;
  let [sent, status] = [false, undefined as number | undefined];
  const started = (): void => {
    sent = true;
  };
  const lost = (cause?: unknown): Attempt => {
    // A timer may end a moment before its time.
    const hasEnded = isExceeded(deadline) || (signal.aborted && remainingMs <= transport.timeoutMs);
    const why = hasEnded ? 'deadlineExceeded' : timeout.whyLost();
    return { failure: lostFailure(request, { sent, cause, why }), status };
  };
  try {
    const response = await send(request, { signal, traceparent, started }, transport);
    if (response === undefined) return lost();
    status = response.statusCode;
    if (status >= 300) return { failure: await readFailure(request, response, transport), status };
    const bytes = await readBody(response, request.maxBytes ?? DEFAULT_MAX_BYTES);
    if (bytes === undefined) return { failure: unusableFailure(request, 'responseTooLarge'), status };
    if (bytes.byteLength > LARGE_BYTES) await eventLoopTurns.next();
    const contents = parseContents(request, bytes);
    if (contents === undefined) return { failure: unusableFailure(request, 'clusterNotJson'), status };
    transport.noteDate(headerOf(response, 'date'));
    return { reply: { status, ...contents, bytes: bytes.byteLength }, status };
  } catch (error) {
    if (!isServiceError(error)) return lost(error);
    if (error.code !== 'unavailable') throw error;
    // Without credentials nothing was sent.
    return { failure: { error, repeatable: !isExceeded(deadline) }, status };
  } finally {
    stopTimer();
  }
}

function parseContents(
  { verb }: ClusterRequest,
  bytes: Buffer,
): Pick<ClusterReply, 'body' | 'items'> | undefined {
  if (verb === 'list') return parseList(bytes);
  const body = parseJson(bytes);
  return body === undefined ? undefined : { body };
}

/** Whether the deadline has passed, so that no further attempt is made. */
export function isExceeded(deadline: Deadline): boolean {
  return deadline.remainingMs() <= 0 || deadline.signal.aborted;
}

export const MAX_ATTEMPTS = 4;
const BACK_OFF = { firstMs: 100, longestMs: 2_000 };
/** With less time than this, another attempt would only add load. */
const SHORTEST_ATTEMPT_MS = 50;

/**
 * The wait before the next attempt, or undefined to give up: the back-off, added to the cluster's Retry-After. `random`
 * returns 0 to 1.
 */
export function retryDelayMs(
  attempt: number,
  { repeatable, error }: Failure,
  remainingMs: number,
  random: () => number,
): number | undefined {
  if (!repeatable || attempt >= MAX_ATTEMPTS) return undefined;
  const wait = (error.retryAfterSeconds ?? 0) * 1_000 + backOffMs(attempt, { ...BACK_OFF, random });
  return wait + SHORTEST_ATTEMPT_MS <= remainingMs ? wait : undefined;
}
