import type { Dispatcher } from 'undici';
import { untilAborted } from '../../timing/deadline.ts';
import { eventLoopTurns } from '../../timing/event-loop-yielder.ts';
import { parseJson } from '../objects/raw-object.ts';
import type { Transport } from './connections.ts';
import { answeredFailure, type Failure, type Loss } from './errors.ts';
import { addressOf, headersOf, METHODS, type ClusterRequest } from './request.ts';
import { readStatus } from './status.ts';

type HttpResponse = Dispatcher.ResponseData;

/**
 * Decoding this many bytes and responding with them takes about a millisecond. Larger bodies are handled in a turn of
 * their own, because responses of many requests arrive in one turn of the event loop.
 */
export const LARGE_BYTES = 64 * 1_024;
/** A Status object with all its causes is far smaller. */
const MAX_ERROR_BYTES = 1_048_576;

/** Starts an attempt of at most `timeoutMs`, which `work` may end earlier. */
export function startAttemptTimeout(work: AbortSignal, timeoutMs: number) {
  const timeout = new AbortController();
  const timer = setTimeout(
    () => {
      timeout.abort();
    },
    Math.max(timeoutMs, 0),
  );
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

export function headerOf({ headers }: HttpResponse, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** The body of a response; undefined for a longer one, whose rest is not read. */
export async function readBody(response: HttpResponse, maxBytes: number): Promise<Buffer | undefined> {
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
