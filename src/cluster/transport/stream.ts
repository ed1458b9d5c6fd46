import { isServiceError, type ServiceError } from '../../errors/service-error.ts';
import { readFailure, send, startAttemptTimeout } from './attempt.ts';
import type { Transport } from './connections.ts';
import { clusterError, lostFailure } from './errors.ts';
import type { ClusterRequest } from './request.ts';

/** One line is one event with one object, and an object is below 3 MiB. */
const DEFAULT_MAX_LINE_BYTES = 8 * 1_024 * 1_024;

/**
 * Opens a response that continues until the cluster ends it or `signal` is aborted. The request's `maxBytes` bounds one line.
 * @param read takes the text of a line, without its end; only what it returns is kept
 * @throws {ServiceError} when it cannot be opened
 */
export async function openStream<Line>(
  request: ClusterRequest,
  signal: AbortSignal,
  read: (text: string) => Line,
  transport: Transport,
) {
  const { now } = transport.clock;
  const timeout = startAttemptTimeout(signal, transport.timeoutMs);
  const lost = (cause?: unknown): ServiceError =>
    lostFailure(request, { sent: true, why: timeout.whyLost(), cause }).error;
  let lastByte = 0;
  const received = async function* (body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of body) {
        lastByte = now();
        yield chunk;
      }
    } catch (error) {
      throw lost(error);
    }
  };
  const lines = async function* (body: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
    try {
      yield* splitLines(received(body), request.maxBytes ?? DEFAULT_MAX_LINE_BYTES, read);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
  try {
    const ends = AbortSignal.any([timeout.signal, transport.connections.closed]);
    const response = await send(request, { signal: ends }, transport);
    if (response === undefined) throw lost();
    if (response.statusCode >= 300) throw (await readFailure(request, response, transport)).error;
    lastByte = now();
    return {
      /**
       * What `read` has returned, in order. Iterate it once.
       * @throws {ServiceError} `unavailable` when the connection breaks, `responseTooLarge` for a line beyond the bound
       * @throws whatever `read` throws
       */
      lines: lines(response.body as AsyncIterable<Buffer>),
      /** Milliseconds since the cluster last sent anything, which is how a half-open connection is detected. */
      silenceMs: () => now() - lastByte,
    };
  } catch (error) {
    throw isServiceError(error) ? error : lost(error);
  } finally {
    timeout.stopTimer();
  }
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
      if (length > 0) yield lineOf(Buffer.concat(parts, length));
      parts = [];
      length = 0;
    }
    add(chunk.subarray(start));
  }
  if (length > 0) throw clusterError('unavailable', 'streamCutWithinLine');
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(line: Uint8Array): string {
  try {
    return decoder.decode(line);
  } catch {
    throw clusterError('unavailable', 'streamNotText');
  }
}
