import { isServiceError } from '../../errors/service-error.ts';
import { backOffMs } from '../../timing/back-off.ts';
import { untilAborted, type Deadline } from '../../timing/deadline.ts';
import { parseJson } from '../objects/raw-object.ts';
import type { Transport } from './connections.ts';
import { isExceeded, startAttemptTimeout } from './attempt-deadline.ts';
import { sendHttpRequest, type HttpResult } from './http-request.ts';
import { answeredFailure, lostFailure, unusableFailure, type Failure, type Loss } from './errors.ts';
import { parseList } from './parse-list.ts';
import { addressOf, headersOf, METHODS, type ClusterReply, type ClusterRequest } from './request.ts';
import { readStatus } from './status.ts';
import { eventLoopTurns } from '../../timing/event-loop-yielder.ts';

/** The result of one attempt of a request; `status` is the HTTP status, if there was one. */
export type Attempt =
  | { readonly reply: ClusterReply; readonly failure: undefined; readonly status: number }
  | { readonly reply: undefined; readonly failure: Failure; readonly status: number | undefined };

/** Enough for any single object, and for every response to a write. */
const DEFAULT_MAX_BYTES = 8 * 1_024 * 1_024;

/**
 * Decoding this many bytes and responding with them takes about a millisecond. Larger bodies are handled in a turn of
 * their own, because responses of many requests arrive in one turn of the event loop.
 */
const LARGE_BYTES = 64 * 1_024;

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
  const { timeoutMs, credentials } = transport;
  const address = addressOf(request, credentials.server);
  const remainingMs = deadline.remainingMs();
  const timeout = startAttemptTimeout(deadline.signal, Math.min(timeoutMs, remainingMs));
  // A timer may end a moment before its time.
  const hasEnded = (): boolean =>
    isExceeded(deadline) || (timeout.signal.aborted && remainingMs <= timeoutMs);
  const lost = (sent: boolean, cause: unknown): Failure =>
    lostFailure(request, { sent, cause, why: hasEnded() ? 'deadlineExceeded' : whyLost(timeout.signal) });
  try {
    // The credentials may come from a command or a provider, which may hang.
    const access = await untilAborted(credentials.access(), timeout.signal);
    if (access === undefined) return failed(lost(false, undefined));
    const body = request.body === undefined ? undefined : JSON.stringify(request.body);
    if (body !== undefined && body.length > LARGE_BYTES) await eventLoopTurns.next();
    const { requests, background } = transport.connections.for(access.tls);
    const result = await sendHttpRequest(request.isBackground === true ? background : requests, {
      ...address,
      method: METHODS[request.verb],
      headers: headersOf(request, access.headers, traceparent),
      body,
      maxBytes: request.maxBytes ?? DEFAULT_MAX_BYTES,
      signal: timeout.signal,
    });
    if (result.status === 401) credentials.forget(access);
    if (result.kind === 'lost') return failed(lost(result.sent, result.error), result.status);
    if (result.kind === 'answered' && result.body.byteLength > LARGE_BYTES) await eventLoopTurns.next();
    return judge(request, result, transport);
  } catch (error) {
    // Without credentials nothing was sent.
    if (isServiceError(error, 'unavailable')) return failed({ error, repeatable: !isExceeded(deadline) });
    throw error;
  } finally {
    timeout.release();
  }
}

function whyLost(attempt: AbortSignal): Loss['why'] {
  return attempt.aborted ? 'clusterTimeout' : 'connectionFailed';
}

function judge(
  request: ClusterRequest,
  result: Exclude<HttpResult, { kind: 'lost' }>,
  { clock, noteDate }: Transport,
): Attempt {
  const { status } = result;
  if (status >= 300) {
    const { body, retryAfter } =
      result.kind === 'answered' ? result : { body: undefined, retryAfter: undefined };
    const details = body === undefined ? undefined : readStatus(parseJson(body));
    // A body that is not a Status may come from anything between the service and the cluster.
    if (details !== undefined && result.kind === 'answered') noteDate(result.date);
    return failed(answeredFailure(request, { status, details, retryAfter, nowMs: clock.wallNow() }), status);
  }
  if (result.kind === 'overflowed') return failed(unusableFailure(request, 'responseTooLarge'), status);
  const contents = parseContents(request, result.body);
  if (contents === undefined) return failed(unusableFailure(request, 'clusterNotJson'), status);
  noteDate(result.date);
  return { reply: { status, ...contents, bytes: result.body.byteLength }, failure: undefined, status };
}

function parseContents(
  { verb }: ClusterRequest,
  bytes: Buffer,
): Pick<ClusterReply, 'body' | 'items'> | undefined {
  if (verb === 'list') return parseList(bytes);
  const body = parseJson(bytes);
  return body === undefined ? undefined : { body };
}

function failed(failure: Failure, status?: number): Attempt {
  return { reply: undefined, failure, status };
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
