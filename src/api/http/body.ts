import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError } from '../../errors/service-error.ts';
import type { Bound } from '../../observability/bound-metrics.ts';
import { createEventLoopYielder } from '../../timing/event-loop-yielder.ts';
import { eventLoopTurns } from '../../timing/turns.ts';
import { createByteBlocks } from './byte-blocks.ts';
import { createStructureScanner } from './json-structure.ts';
import { parseMediaType } from './media-type.ts';
import { paceReading } from './paced-reading.ts';

/** The contract's limit for a request stream and its JSON envelope. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Bodies of most Secrets. */
const SHORT_BYTES = 16 * 1024;

export interface BodyObserver {
  /** Called for each piece that arrives, before it is kept; returns why it cannot be kept. */
  readonly reserve: (bytes: number) => ServiceError | undefined;
  readonly onRefused: (bound: Bound) => void;
}

/**
 * Reads a JSON body strictly: `application/json` only, no compression, at most 16 MiB, a bounded structure, valid UTF-8
 * without a byte order mark, valid JSON. The rest of a refused stream is not read.
 *
 * @throws {ServiceError} `unsupportedMediaType`, `tooLarge`, `invalidRequest`, or the error that `observer` returns;
 *   none of them quotes the body
 */
export async function readJsonBody(
  request: IncomingMessage,
  response: ServerResponse,
  observer: BodyObserver,
): Promise<unknown> {
  requireJson(request);
  const blocks = await readBlocks(request, response, observer);
  if (isShort(request)) return parse(decode(Buffer.concat(blocks)));
  // Several bodies may have arrived in the same turn.
  await eventLoopTurns.next();
  const yielder = createEventLoopYielder();
  const bytes = Buffer.concat(blocks);
  await yielder.yieldIfDue();
  if (!isUtf8(bytes)) throw malformed('UTF-8');
  await yielder.yieldIfDue();
  const text = bytes.toString('utf8');
  await yielder.yieldNow();
  const body = parse(text);
  // The check of the body begins with its own time slice.
  await yielder.yieldIfDue();
  return body;
}

/**
 * Whether a body is handled within a fraction of a millisecond, so that those of all admitted requests may be handled in
 * one turn of the event loop. Of a chunked one it is not known.
 */
export function isShort({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= SHORT_BYTES;
}

/** Whether a body was announced (RFC 9112, section 6.3); an empty one of known length does not count. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}

function requireJson({ headers }: IncomingMessage): void {
  const type = parseMediaType(headers['content-type'] ?? '');
  const isJson =
    type?.essence === 'application/json' &&
    type.parameters.every(([name, value]) => name !== 'charset' || value.toLowerCase() === 'utf-8');
  const isPlain =
    (headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity' &&
    (headers['transfer-encoding'] ?? 'chunked').toLowerCase() === 'chunked';
  if (isJson && isPlain) return;
  throw new ServiceError(
    'unsupportedMediaType',
    'The body must be application/json in UTF-8 without compression',
  );
}

function readBlocks(
  request: IncomingMessage,
  response: ServerResponse,
  observer: BodyObserver,
): Promise<readonly Uint8Array[]> {
  return new Promise((resolve, reject) => {
    const scanner = createStructureScanner();
    const blocks = createByteBlocks();
    let size = 0;
    const reading = paceReading(request);
    const settle = () => {
      reading.stop();
      request.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
    };
    /** The error outlives the blocks: the connection, for example, refers to it, and its stack refers to them. */
    const fail = (error: Error) => {
      settle();
      blocks.take();
      reject(error);
    };
    const refuse = (error: Error) => {
      request.pause();
      response.setHeader('Connection', 'close');
      fail(error);
    };
    const onData = (piece: Uint8Array) => {
      reading.noteArrived(piece.byteLength);
      size += piece.byteLength;
      const refusal = size > MAX_BODY_BYTES ? tooLong() : observer.reserve(piece.byteLength);
      if (refusal !== undefined) refuse(refusal);
      else if (scanner.isWithinLimits(piece)) blocks.append(piece);
      else refuse(tooStructured(observer));
    };
    const onEnd = () => {
      settle();
      resolve(blocks.take());
    };
    const onBroken = () => {
      fail(new ServiceError('invalidRequest', 'The request body ended early', { reason: 'bodyEndedEarly' }));
    };
    if (request.destroyed && !request.readableEnded) onBroken();
    else if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) refuse(tooLong());
    else request.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
}

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw malformed('UTF-8');
  return bytes.toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed('JSON'); // The parser's message quotes the body.
  }
}

function malformed(what: 'JSON' | 'UTF-8'): ServiceError {
  return new ServiceError('invalidRequest', `The request body must be valid ${what}`);
}

function tooLong(): ServiceError {
  return new ServiceError('tooLarge', 'The request body must be at most 16 MiB');
}

function tooStructured(observer: BodyObserver): ServiceError {
  observer.onRefused('body_structure');
  return new ServiceError(
    'tooLarge',
    'The JSON of the request body must be at most 64 levels deep, with at most 200,000 structural characters and 3,000,000 escapes',
    { reason: 'bodyStructure' },
  );
}
