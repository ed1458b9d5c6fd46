import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError } from '../errors/service-error.ts';

/** The contract's limit for a request stream and its JSON envelope. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024;

/**
 * Reads a JSON body strictly: `application/json` only, no compression, at most 16 MiB, valid UTF-8 without
 * a byte order mark, valid JSON. A stream that grows over the limit is not read on.
 *
 * @throws {ServiceError} `unsupportedMediaType`, `tooLarge` or `invalidRequest`; what was sent is in none of them
 */
export async function readJsonBody(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  requireJson(request);
  const text = decode(await readBytes(request, response));
  try {
    return JSON.parse(text);
  } catch {
    throw malformed('JSON'); // the parser's own message quotes the body
  }
}

/** Whether a body was announced (RFC 9112, section 6.3); an empty one of known length is none. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}

function requireJson(request: IncomingMessage): void {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
  const charsets = parameters.map((parameter) => /^\s*charset\s*=\s*"?([^"]*?)"?\s*$/.exec(parameter)?.[1]);
  const isJson =
    type.trim() === 'application/json' && charsets.every((one) => one === undefined || one === 'utf-8');
  const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase();
  if (isJson && encoding === 'identity') return;
  throw new ServiceError(
    'unsupportedMediaType',
    'The body must be application/json in UTF-8 without compression',
  );
}

function readBytes(request: IncomingMessage, response: ServerResponse): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (finish: () => void) => {
      request.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
      finish();
    };
    const refuse = () => {
      request.pause();
      response.setHeader('Connection', 'close');
      settle(() => {
        reject(new ServiceError('tooLarge', 'The request body must be at most 16 MiB'));
      });
    };
    const onData = (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size > MAX_BODY_BYTES) refuse();
      else chunks.push(chunk);
    };
    const onEnd = () => {
      settle(() => {
        resolve(Buffer.concat(chunks, size));
      });
    };
    const onBroken = () => {
      settle(() => {
        reject(
          new ServiceError('invalidRequest', 'The request body ended early', { reason: 'bodyEndedEarly' }),
        );
      });
    };
    if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) refuse();
    else request.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw malformed('UTF-8');
  }
}

function malformed(what: 'JSON' | 'UTF-8'): ServiceError {
  return new ServiceError('invalidRequest', `The request body must be valid ${what}`);
}
