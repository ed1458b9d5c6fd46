import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { invalidRequest, ServiceError } from '../errors/service-error.ts';
import { createEventLoopYielder, eventLoopTurns } from '../timing/event-loop-yielder.ts';
import type { BodyBudget } from './body-budget.ts';
import { createStructureScanner } from './json-structure.ts';
import { readInTurns } from './paced-reading.ts';

/** Longer than every content type in use. A longer one is not parsed. */
const MAX_CONTENT_TYPE_CHARACTERS = 200;

/** Tokens (section 5.6.2) on both sides of the slash. */
const ESSENCE = /^[\t ]*([!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+)[\t ]*/;
/** A parameter may be empty (section 5.6.6). Its value is a token or a quoted string (section 5.6.4). */
const PARAMETER =
  /;[\t ]*(?:([!#$%&'*+.^_`|~\w-]+)=(?:([!#$%&'*+.^_`|~\w-]+)|"((?:[\t \x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t \x21-\x7e\x80-\xff])*)")[\t ]*)?/gy;
const ESCAPED = /\\(.)/g;

/**
 * A media type as a `Content-Type` field has it (RFC 9110, section 8.3.1), in lower case where the grammar ignores
 * case. Its parameters are in the order in which they were given; a name may be given twice.
 * @returns undefined when it is too long, or when it or one of its parameters does not follow the grammar
 */
export function parseMediaType(text: string) {
  if (text.length > MAX_CONTENT_TYPE_CHARACTERS) return undefined;
  const [head = '', essence] = ESSENCE.exec(text) ?? [];
  if (essence === undefined) return undefined;
  const rest = text.slice(head.length);
  const parsed = [...rest.matchAll(PARAMETER)];
  if (parsed.map(([parameter]) => parameter).join('') !== rest) return undefined;
  return {
    essence: essence.toLowerCase(),
    parameters: parsed.flatMap(([, name, token, quoted]) => {
      const value = token ?? quoted?.replaceAll(ESCAPED, '$1');
      return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value] as const];
    }),
  };
}

/** The contract's limit for a request stream and its JSON envelope. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Those of most Secrets: handled within a fraction of a millisecond, so that many may be in one turn of the event loop. */
const SHORT_BYTES = 16 * 1024;

/** A body whose last byte has arrived, or which is known to be wrong. */
export interface ReceivedBody {
  /**
   * Call it once, when the checks before the form of the body have passed.
   * @throws {ServiceError} `unsupportedMediaType`, `tooLarge` or `invalidRequest`; none of them quotes the body
   */
  parse(): Promise<unknown>;
  /** Frees its share of the budget, once the work is done: a parsed body stays in memory as long. */
  release(): void;
}

/**
 * Receives a JSON body strictly: `application/json` only, no compression, at most 16 MiB, a bounded structure, valid
 * UTF-8 without a byte order mark, valid JSON. Nothing more is read of a body that is wrong; what is wrong with it is
 * thrown by `parse`.
 *
 * @param person whose share of the budget the body takes
 * @throws {ServiceError} `rateLimited`, `bodyBudgetExceeded`, or `invalidRequest` when the body ends early
 */
export async function receiveBody(
  request: IncomingMessage,
  response: ServerResponse,
  budget: Pick<BodyBudget, 'open' | 'onRefused'>,
  person: string,
): Promise<ReceivedBody> {
  if (!isJson(request)) {
    const message = 'The body must be application/json in UTF-8 without compression';
    return wrong(new ServiceError('unsupportedMediaType', message));
  }
  if (Number(request.headers['content-length'] ?? 0) <= MAX_BODY_BYTES)
    return receivePieces(request, response, budget, person);
  leaveUnread(request, response);
  return wrong(tooLong());
}

function wrong(error: ServiceError): ReceivedBody {
  return { parse: () => Promise.reject(error), release: () => undefined };
}

/** The connection closes with the response. */
function leaveUnread(request: IncomingMessage, response: ServerResponse): void {
  request.pause();
  response.setHeader('Connection', 'close');
}

/** Whether a body was announced (RFC 9112, section 6.3); an empty one of known length does not count. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}

function isJson({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const type = parseMediaType(headers['content-type'] ?? '');
  const isTyped =
    type?.essence === 'application/json' &&
    type.parameters.every(([name, value]) => name !== 'charset' || value.toLowerCase() === 'utf-8');
  const isChunked = (headers['transfer-encoding'] ?? 'chunked').toLowerCase() === 'chunked';
  return isTyped && isChunked && !isCompressed({ headers });
}

function isCompressed({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';
}

function receivePieces(
  ...[request, response, budget, person]: Parameters<typeof receiveBody>
): Promise<ReceivedBody> {
  return new Promise((resolve, reject) => {
    const scanner = createStructureScanner();
    const bytes = collectBytes();
    let size = 0;
    const stopReading = () => {
      stopPieces();
      request.off('end', onEnd).off('error', onBroken).off('close', onBroken);
    };
    /** The error outlives the bytes: the connection, for example, refers to it, and its stack refers to them. */
    const drop = () => {
      stopReading();
      bytes.take();
      body.release();
    };
    const refuse = (error: ServiceError) => {
      leaveUnread(request, response);
      drop();
      reject(error);
    };
    const body = budget.open(person, refuse);
    const onPiece = (piece: Uint8Array) => {
      size += piece.byteLength;
      const problem = size > MAX_BODY_BYTES ? tooLong() : problemOf(scanner, piece, budget);
      // Thrown by `parse`. Refusing it then only ends the reading.
      if (problem !== undefined) resolve(wrong(problem));
      const refusal = problem ?? body.reserve(piece.byteLength);
      if (refusal === undefined) bytes.append(piece);
      else refuse(refusal);
    };
    const stopPieces = readInTurns(request, onPiece);
    const onEnd = () => {
      stopReading();
      body.complete();
      resolve({ parse: () => parseJson(bytes.take()), release: body.release });
    };
    const onBroken = () => {
      drop();
      const reason = 'bodyEndedEarly';
      reject(new ServiceError('invalidRequest', 'The request body ended early', { reason }));
    };
    if (request.destroyed && !request.readableEnded) onBroken();
    else request.on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
}

const FIRST_BYTES = 1_024;

/**
 * Copies the pieces into one buffer. Keeping them would not bound the memory: each of them, even one of a single byte,
 * is an object of about a hundred bytes and may keep the whole read buffer of its connection.
 */
function collectBytes() {
  let buffer = Buffer.alloc(0);
  let used = 0;
  return {
    append(piece: Uint8Array): void {
      const size = used + piece.byteLength;
      if (size > buffer.byteLength) {
        const larger = Buffer.allocUnsafeSlow(Math.min(Math.max(2 * size, FIRST_BYTES), MAX_BODY_BYTES));
        buffer.copy(larger, 0, 0, used);
        buffer = larger;
      }
      buffer.set(piece, used);
      used = size;
    },
    /** Returns the bytes and keeps none. */
    take(): Buffer {
      const bytes = buffer.subarray(0, used);
      buffer = Buffer.alloc(0);
      used = 0;
      return bytes;
    },
  };
}

/**
 * A long text is handled in turns of the event loop.
 * @throws {ServiceError} `invalidRequest`, which does not quote it
 */
async function parseJson(bytes: Buffer): Promise<unknown> {
  if (bytes.byteLength <= SHORT_BYTES) return parseText(textOf(bytes));
  // Several bodies may have arrived in the same turn.
  await eventLoopTurns.next();
  const yielder = createEventLoopYielder();
  const text = textOf(bytes);
  await yielder.yieldNow();
  const body = parseText(text);
  // The check of the body begins with its own time slice.
  await yielder.yieldIfDue();
  return body;
}

function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw malformed('UTF-8');
  return bytes.toString('utf8');
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed('JSON'); // The parser's message quotes the body.
  }
}

function malformed(what: 'JSON' | 'UTF-8'): ServiceError {
  return invalidRequest(`The request body must be valid ${what}`);
}

function problemOf(
  scanner: ReturnType<typeof createStructureScanner>,
  piece: Uint8Array,
  { onRefused }: Pick<BodyBudget, 'onRefused'>,
): ServiceError | undefined {
  if (scanner.isWithinLimits(piece)) return undefined;
  onRefused('body_structure');
  return new ServiceError(
    'tooLarge',
    'The JSON of the request body must be at most 64 levels deep, with at most 200,000 structural characters and 3,000,000 escapes',
    { reason: 'bodyStructure' },
  );
}

const tooLong = (): ServiceError => new ServiceError('tooLarge', 'The request body must be at most 16 MiB');

/** A code, a verifier and their names. */
const MAX_FORM_BYTES = 16_384;

/**
 * Reads a short `application/x-www-form-urlencoded` body. The connection's own timeouts bound how long it takes.
 * @throws {ServiceError} `unsupportedMediaType`, `tooLarge`; `invalidRequest` when it ends early
 */
export async function readForm(request: IncomingMessage, response: ServerResponse): Promise<URLSearchParams> {
  const type = parseMediaType(request.headers['content-type'] ?? '');
  if (type?.essence !== 'application/x-www-form-urlencoded' || isCompressed(request))
    throw new ServiceError('unsupportedMediaType', 'The body must be application/x-www-form-urlencoded');
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    // A destroyed request could not be read to its end, and would block its connection.
    for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += piece.byteLength;
      if (bytes > MAX_FORM_BYTES) break;
      pieces.push(piece);
    }
  } catch {
    throw invalidRequest('The body ended early');
  }
  if (bytes <= MAX_FORM_BYTES) return new URLSearchParams(Buffer.concat(pieces).toString('utf8'));
  leaveUnread(request, response);
  throw new ServiceError('tooLarge', `The body must have at most ${MAX_FORM_BYTES} bytes`);
}
