import { isServiceError, type ServiceError } from '../../errors/service-error.ts';
import type { Clock } from '../../timing/clock.ts';
import type { Credentials } from '../credentials/credentials.ts';
import { startAttemptTimeout, untilAborted } from './attempt-deadline.ts';
import { answeredFailure, lostFailure } from './errors.ts';
import { addressOf, headersOf, type ServerBase } from './request-url.ts';
import { parseJson } from './json-body.ts';
import { splitLines } from './lines.ts';
import type { ClusterRequest } from './request.ts';
import { readStatus } from './status.ts';
import type { StreamConnections } from './stream-connections.ts';
import type { StreamResponse } from './stream-request.ts';

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

export interface StreamDependencies {
  readonly server: ServerBase;
  readonly credentials: Credentials;
  readonly connections: StreamConnections;
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
  door: StreamDependencies,
): Promise<ClusterStream<Line>> {
  const address = addressOf(request, door.server);
  const timeout = startAttemptTimeout(signal, door.openTimeoutMs);
  const lost = (cause: unknown): ServiceError => {
    const inTime = timeout.signal.aborted ? 'clusterTimeout' : 'connectionFailed';
    return lostFailure(request, { sent: true, why: signal.aborted ? 'deadlineExceeded' : inTime, cause })
      .error;
  };
  try {
    const answer = await send(request, address, timeout.signal, door);
    if (answer === undefined) throw lost(undefined);
    if (answer.status >= 300) throw await refusal(request, answer, door.clock);
    timeout.stopTimer();
    return streamOf(request, answer, read, { signal, release: timeout.release, lost, now: door.clock.now });
  } catch (error) {
    timeout.release();
    throw isServiceError(error) ? error : lost(error);
  }
}

async function send(
  request: ClusterRequest,
  address: { readonly origin: string; readonly path: string },
  signal: AbortSignal,
  { credentials, connections }: StreamDependencies,
): Promise<StreamResponse | undefined> {
  const access = await untilAborted(credentials.access(), signal);
  if (access === undefined) return undefined;
  const headers = headersOf(request, access.headers);
  const pending = connections.open(access.tls, { ...address, headers, signal });
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
