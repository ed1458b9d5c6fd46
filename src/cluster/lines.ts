import { clusterError } from './failures.ts';

const NEWLINE = 0x0a;

/**
 * Splits a stream of bytes into lines. Lines are cut before they are decoded, so that a character that is split
 * between two chunks stays whole; empty lines are passed over.
 * @throws {ServiceError} `responseTooLarge` for a line of more than `maxBytes`, `unavailable` when the stream ends
 *   within a line or is not UTF-8
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<string> {
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
      if (length > 0) yield decode(Buffer.concat(parts, length));
      parts = [];
      length = 0;
    }
    add(chunk.subarray(start));
  }
  if (length > 0) throw clusterError('unavailable', 'streamCutWithinLine');
}

function decode(line: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(line);
  } catch {
    throw clusterError('unavailable', 'streamNotText');
  }
}
