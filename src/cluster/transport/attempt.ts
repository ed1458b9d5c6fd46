import { isServiceError } from '../../errors/service-error.ts';
import { backOffMs } from '../../timing/back-off.ts';
import { untilAborted, type Deadline } from '../../timing/deadline.ts';
import { parseJson } from '../objects/raw-object.ts';
import type { StartOptions, Transport } from './connections.ts';
import { isExceeded, startAttemptTimeout } from './attempt-deadline.ts';
import { headerOf, readBody, readFailure } from './http-request.ts';
import { lostFailure, unusableFailure, type Failure, type Loss } from './errors.ts';
import { parseList } from './parse-list.ts';
import { addressOf, headersOf, METHODS, type ClusterReply, type ClusterRequest } from './request.ts';
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

const UNDICI = {
  /** By default undici closes the connection after a DELETE with a body, such as one with preconditions. */
  reset: false,
  /** The signal is the only timeout: it covers the queue for a connection, the connect, the head and the body. */
  headersTimeout: 0,
  bodyTimeout: 0,
};

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
  const { timeoutMs, credentials, connections } = transport;
  const address = addressOf(request, credentials.server);
  const remainingMs = deadline.remainingMs();
  const timeout = startAttemptTimeout(deadline.signal, Math.min(timeoutMs, remainingMs));
  // A timer may end a moment before its time.
  const hasEnded = (): boolean =>
    isExceeded(deadline) || (timeout.signal.aborted && remainingMs <= timeoutMs);
  let [sent, status] = [false, undefined as number | undefined];
  const lost = (cause: unknown): Attempt => {
    const why = hasEnded() ? 'deadlineExceeded' : whyLost(timeout.signal);
    return failed(lostFailure(request, { sent, cause, why }), status);
  };
  try {
    // The credentials may come from a command or a provider, which may hang.
    const access = await untilAborted(credentials.access(), timeout.signal);
    if (access === undefined) return lost(undefined);
    const body = request.body === undefined ? null : JSON.stringify(request.body);
    if (body !== null && body.length > LARGE_BYTES) await eventLoopTurns.next();
    const { requests, background } = connections.for(access.tls);
    const started = () => {
      sent = true;
    };
    const options: StartOptions = {
      ...UNDICI,
      ...address,
      method: METHODS[request.verb],
      headers: headersOf(request, access.headers, traceparent),
      body,
      signal: timeout.signal,
      started,
    };
    let received: Received;
    try {
      const pending = (request.isBackground === true ? background : requests).request(options);
      // A connection that is being made does not end with the request.
      const response = await untilAborted(pending, timeout.signal);
      if (response === undefined) return lost(new DOMException('The attempt is over', 'AbortError'));
      status = response.statusCode;
      if (status === 401) credentials.forget(access);
      if (status >= 300) return failed(await readFailure(request, response, transport), status);
      const bytes = await readBody(response, request.maxBytes ?? DEFAULT_MAX_BYTES);
      received = { status, bytes, date: headerOf(response, 'date') };
    } catch (error) {
      return lost(error);
    }
    return await replyOf(request, received, transport);
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

interface Received {
  readonly status: number;
  /** Undefined for too many. */
  readonly bytes: Buffer | undefined;
  readonly date: string | undefined;
}

async function replyOf(
  request: ClusterRequest,
  { status, bytes, date }: Received,
  { noteDate }: Transport,
): Promise<Attempt> {
  if (bytes === undefined) return failed(unusableFailure(request, 'responseTooLarge'), status);
  if (bytes.byteLength > LARGE_BYTES) await eventLoopTurns.next();
  const contents = parseContents(request, bytes);
  if (contents === undefined) return failed(unusableFailure(request, 'clusterNotJson'), status);
  noteDate(date);
  return { reply: { status, ...contents, bytes: bytes.byteLength }, failure: undefined, status };
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
