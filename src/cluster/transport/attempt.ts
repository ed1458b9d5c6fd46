import type { Dispatcher } from 'undici';
import { isServiceError } from '../../errors/service-error.ts';
import { backOffMs } from '../../timing/back-off.ts';
import { untilAborted, type Deadline } from '../../timing/deadline.ts';
import { eventLoopTurns } from '../../timing/event-loop-yielder.ts';
import { parseJson } from '../objects/raw-object.ts';
import { isReview } from '../objects/resources.ts';
import type { Transport } from './connections.ts';
import { answeredFailure, lostFailure, unusableFailure, type Failure, type Loss } from './errors.ts';
import { parseList } from './parse-list.ts';
import { addressOf, headersOf, isRead, METHODS, type ClusterReply, type ClusterRequest } from './request.ts';
import { readStatus } from './status.ts';

/** The result of one attempt of a request; `status` is the HTTP status, if there was one. */
export type Attempt =
  | { readonly reply: ClusterReply; readonly failure?: undefined; readonly status: number }
  | { readonly reply?: undefined; readonly failure: Failure; readonly status: number | undefined };

/**
 * A write waits for admission webhooks as well. By default one has as long as an attempt here; after that the cluster may
 * go on without it. A review changes nothing, and whoever waits for one has the time of a read.
 */
const WRITE_FACTOR = 1.5;

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
  const isWrite = !isRead(request.verb) && !isReview(request.resource);
  const timeoutMs = isWrite ? transport.timeoutMs * WRITE_FACTOR : transport.timeoutMs;
  const timeout = startAttemptTimeout(deadline.signal, Math.min(timeoutMs, remainingMs));
  const { signal, stopTimer } = timeout;
  let [sent, status] = [false, undefined as number | undefined];
  const started = (): void => {
    sent = true;
  };
  const lost = (cause?: unknown): Attempt => {
    // A timer may end a moment before its time.
    const hasEnded = isExceeded(deadline) || (signal.aborted && remainingMs <= timeoutMs);
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
    const contents = request.verb === 'list' ? parseList(bytes) : { body: parseJson(bytes) };
    if (contents?.body === undefined) return { failure: unusableFailure(request, 'clusterNotJson'), status };
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

type HttpResponse = Dispatcher.ResponseData;

/**
 * Decoding this many bytes and responding with them takes about a millisecond. Larger bodies are handled in a turn of
 * their own, because responses of many requests arrive in one turn of the event loop.
 */
const LARGE_BYTES = 64 * 1_024;
/** A Status object with all its causes is far smaller. */
const MAX_ERROR_BYTES = 1_048_576;

/** Starts an attempt of at most `timeoutMs`, which `work` may end earlier. */
export function startAttemptTimeout(work: AbortSignal, timeoutMs: number) {
  const timeout = new AbortController();
  const end = (): void => {
    timeout.abort();
  };
  const timer = setTimeout(end, Math.max(timeoutMs, 0));
  return {
    /** Aborted at the end of the attempt: its own timeout, or the end of the work. */
    signal: AbortSignal.any([work, timeout.signal]),
    /** Stops the timer. The end of the work still counts. */
    stopTimer: () => {
      clearTimeout(timer);
    },
    /** Why a request of this attempt was lost. */
    whyLost: (): Loss['why'] => {
      if (work.aborted) return 'deadlineExceeded';
      return timeout.signal.aborted ? 'clusterTimeout' : 'connectionFailed';
    },
  };
}

interface SendOptions {
  /** Ends the request. */
  readonly signal: AbortSignal;
  /** The header that makes the cluster's spans part of the trace. */
  readonly traceparent?: string | undefined;
  /** Called once the request is connected, immediately before its first byte is written. */
  readonly started?: () => void;
}

/**
 * Sends a request and returns its response once the head has arrived; undefined if the signal is aborted first.
 * @throws {ServiceError} `unavailable` without credentials, `invalidRequest` for names that cannot be part of a path
 * @throws what undici throws for a request that is lost
 */
export async function send(
  request: ClusterRequest,
  { signal, traceparent, started }: SendOptions,
  { credentials, connections }: Transport,
): Promise<HttpResponse | undefined> {
  const address = addressOf(request, credentials.server);
  // The credentials may come from a command or a provider, which may hang.
  const access = await untilAborted(credentials.access(), signal);
  if (access === undefined) return undefined;
  const body = request.body === undefined ? null : JSON.stringify(request.body);
  if (body !== null && body.length > LARGE_BYTES) await eventLoopTurns.next();
  const options = {
    ...address,
    method: METHODS[request.verb],
    headers: headersOf(request, access.headers, traceparent),
    body,
    signal,
    started,
    /** By default undici closes the connection after a DELETE with a body, such as one with preconditions. */
    reset: false,
  };
  // A connection that is being made does not end with the request.
  const response = await untilAborted(connections.for(access.tls).of(request).request(options), signal);
  if (response?.statusCode === 401) credentials.forget(access);
  return response;
}

function headerOf({ headers }: HttpResponse, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** The body of a response; undefined for a longer one, whose rest is not read. */
async function readBody(response: HttpResponse, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  const announced = Number(headerOf(response, 'content-length') ?? 0);
  let length = 0;
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    length += chunk.byteLength;
    if (Math.max(length, announced) > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

/** The failure for a response with a status of 300 or more. If the body of an error is lost or too long, its status is enough. */
export async function readFailure(
  request: ClusterRequest,
  response: HttpResponse,
  { noteDate }: Pick<Transport, 'noteDate'>,
): Promise<Failure> {
  const { statusCode: status } = response;
  const body = await readBody(response, MAX_ERROR_BYTES).catch((error: unknown) => {
    if (status < 400) throw error;
    return undefined;
  });
  const details = body === undefined ? undefined : readStatus(parseJson(body));
  // A body that is not a Status may come from anything between the service and the cluster.
  if (details !== undefined) noteDate(headerOf(response, 'date'));
  return answeredFailure(request, { status, details, retryAfter: headerOf(response, 'retry-after') });
}
