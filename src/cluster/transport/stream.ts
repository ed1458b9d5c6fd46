import { isServiceError, type ServiceError } from '../../errors/service-error.ts';
import type { Clock } from '../../timing/clock.ts';
import { startAttemptTimeout, untilAborted } from './attempt-deadline.ts';
import { parseJson } from '../objects/raw-object.ts';
import { answeredFailure, clusterError, lostFailure } from './errors.ts';
import type { Transport } from './connections.ts';
import type { StreamResponse } from './http2/session.ts';
import { addressOf, headersOf, type Address, type ClusterRequest } from './request.ts';
import { readStatus } from './status.ts';

/** A response that continues until the cluster or the caller ends it. */
export interface ClusterStream<Line> {
  /**
   * The parsed lines in order. It finishes when the cluster ends the response, or when the signal of the request is
   * aborted. Iterate it once.
   * @throws {ServiceError} `unavailable` when the connection breaks, `responseTooLarge` for a line beyond the bound
   * @throws whatever the reading of a line throws
   */
  readonly lines: AsyncIterable<Line>;
  /** Milliseconds since the cluster last sent anything, which is how a half-open connection is detected. */
  silenceMs(): number;
}

export interface StreamDependencies extends Transport {
  /** The limit until the head of the response arrives. */
  readonly openTimeoutMs: number;
  readonly clock: Clock;
}

/** One line is one event with one object, and an object is below 3 MiB. */
const DEFAULT_MAX_LINE_BYTES = 8 * 1_024 * 1_024;
const MAX_ERROR_BYTES = 1_048_576;

/**
 * Opens the stream of a request; `signal` ends it. The request's `maxBytes` bounds one line.
 * @param read takes the text of a line, without its end; only what it returns is kept
 * @throws {ServiceError} when it cannot be opened
 */
export async function openStream<Line>(
  request: ClusterRequest,
  signal: AbortSignal,
  read: (text: string) => Line,
  dependencies: StreamDependencies,
): Promise<ClusterStream<Line>> {
  const address = addressOf(request, dependencies.server);
  const timeout = startAttemptTimeout(signal, dependencies.openTimeoutMs);
  const lost = (cause: unknown): ServiceError => {
    const inTime = timeout.signal.aborted ? 'clusterTimeout' : 'connectionFailed';
    return lostFailure(request, { sent: true, why: signal.aborted ? 'deadlineExceeded' : inTime, cause })
      .error;
  };
  try {
    const answer = await send(request, address, timeout.signal, dependencies);
    if (answer === undefined) throw lost(undefined);
    if (answer.status >= 300) throw await refusal(request, answer, dependencies.clock);
    timeout.stopTimer();
    return streamOf(request, answer, read, {
      signal,
      release: timeout.release,
      lost,
      now: dependencies.clock.now,
    });
  } catch (error) {
    timeout.release();
    throw isServiceError(error) ? error : lost(error);
  }
}

async function send(
  request: ClusterRequest,
  address: Address,
  signal: AbortSignal,
  { credentials, connections }: StreamDependencies,
): Promise<StreamResponse | undefined> {
  const access = await untilAborted(credentials.access(), signal);
  if (access === undefined) return undefined;
  const headers = headersOf(request, access.headers);
  const pending = connections.for(access.tls).openStream({ ...address, headers, signal });
  // A connection that is being made does not end with the request.
  const answer = await untilAborted(pending, signal);
  if (answer?.status === 401) credentials.forget(access);
  return answer;
}

/** The error for a refused stream. */
async function refusal(request: ClusterRequest, answer: StreamResponse, clock: Clock): Promise<ServiceError> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer.body) {
    length += chunk.byteLength;
    if (length > MAX_ERROR_BYTES) break;
    chunks.push(chunk);
  }
  return answeredFailure(request, {
    status: answer.status,
    details: readStatus(parseJson(Buffer.concat(chunks))),
    retryAfter: answer.retryAfter,
    nowMs: clock.wallNow(),
  }).error;
}

interface Running {
  readonly signal: AbortSignal;
  readonly release: () => void;
  readonly lost: (cause: unknown) => ServiceError;
  readonly now: () => number;
}

function streamOf<Line>(
  { maxBytes = DEFAULT_MAX_LINE_BYTES }: ClusterRequest,
  { body }: StreamResponse,
  read: (text: string) => Line,
  { signal, release, lost, now }: Running,
): ClusterStream<Line> {
  let lastByte = now();
  const received = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of body) {
        lastByte = now();
        yield chunk;
      }
    } catch (error) {
      throw lost(error);
    }
  };
  const lines = async function* (): AsyncGenerator<Line> {
    try {
      yield* splitLines(received(), maxBytes, read);
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    } finally {
      release();
    }
  };
  return { lines: lines(), silenceMs: () => now() - lastByte };
}

const NEWLINE = 0x0a;

/**
 * Splits a stream of bytes into lines, and yields the result of `read` for each. Lines are split before they are
 * decoded, so that a character across two chunks stays whole. Empty lines are skipped. A suspended generator keeps its
 * variables in memory, so the text of a line is passed on without a variable here.
 * @throws {ServiceError} `responseTooLarge` for a line of more than `maxBytes`, `unavailable` when the stream ends
 *   within a line or is not UTF-8
 */
export async function* splitLines<Line>(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  read: (text: string) => Line,
): AsyncGenerator<Line> {
  const lineOf = (bytes: Uint8Array): Line => read(decode(bytes));
  let parts: Uint8Array[] = [];
  let length = 0;
  const add = (part: Uint8Array): void => {
    length += part.byteLength;
    if (length > maxBytes) throw clusterError('responseTooLarge', 'streamLineTooLong');
    parts.push(part);
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end));
      start = end + 1;
      if (length > 0) yield lineOf(joined(parts, length));
      parts = [];
      length = 0;
    }
    add(chunk.subarray(start));
  }
  if (length > 0) throw clusterError('unavailable', 'streamCutWithinLine');
}

/** Most lines are in one chunk, and are not copied. */
function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = parts;
  return first?.byteLength === length ? first : Buffer.concat(parts, length);
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(line: Uint8Array): string {
  try {
    return decoder.decode(line);
  } catch {
    throw clusterError('unavailable', 'streamNotText');
  }
}
