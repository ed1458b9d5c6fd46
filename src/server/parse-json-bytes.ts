import { isUtf8 } from 'node:buffer';
import { ServiceError } from '../errors/service-error.ts';
import { createEventLoopYielder } from '../timing/event-loop-yielder.ts';
import { eventLoopTurns } from '../timing/turns.ts';
import type { ByteBlocks } from './byte-blocks.ts';

/** Those of most Secrets: handled within a fraction of a millisecond, so that many may be in one turn of the event loop. */
const SHORT_BYTES = 16 * 1024;

/**
 * Parses what was received; the blocks are empty afterwards. A long text is handled in turns.
 * @throws {ServiceError} `invalidRequest`, which does not quote it
 */
export async function parseJsonBytes(blocks: ByteBlocks, size: number): Promise<unknown> {
  if (size <= SHORT_BYTES) return parse(decode(Buffer.concat(blocks.take())));
  // Several bodies may have arrived in the same turn.
  await eventLoopTurns.next();
  const yielder = createEventLoopYielder();
  const bytes = Buffer.concat(blocks.take());
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
