import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../errors/service-error.ts';
import { parseMediaType } from './body.ts';

/**
 * Reads a short `application/x-www-form-urlencoded` body. The connection's own timeouts bound how long it takes.
 * @throws {ServiceError} `unsupportedMediaType`, `tooLarge`; `invalidRequest` when it ends early
 */
export async function readForm(request: IncomingMessage, maxBytes: number): Promise<URLSearchParams> {
  const type = parseMediaType(request.headers['content-type'] ?? '');
  const isPlain = (request.headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity';
  if (type?.essence !== 'application/x-www-form-urlencoded' || !isPlain)
    throw new ServiceError('unsupportedMediaType', 'The body must be application/x-www-form-urlencoded');
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    // What is left unread of a longer body closes the connection.
    for await (const piece of request as AsyncIterable<Buffer>) {
      bytes += piece.byteLength;
      if (bytes > maxBytes) break;
      pieces.push(piece);
    }
  } catch {
    throw new ServiceError('invalidRequest', 'The body ended early');
  }
  if (bytes > maxBytes) throw new ServiceError('tooLarge', `The body must have at most ${maxBytes} bytes`);
  return new URLSearchParams(Buffer.concat(pieces).toString('utf8'));
}
