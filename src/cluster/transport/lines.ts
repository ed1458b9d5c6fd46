import { clusterError } from './errors.ts';

const NEWLINE = 0x0a;

/**
 * Splits a stream of bytes into lines, and gives what `read` makes of each. Lines are cut before they are decoded, so
 * that a character that is split between two chunks stays whole; empty lines are passed over. A generator that waits
 * keeps hold of whatever it worked with last, so that a line's text lives in a function that returns and nowhere here.
 * @throws {ServiceError} `responseTooLarge` for a line of more than `maxBytes`, `unavailable` when the stream ends
 *   within a line or is not UTF-8
 */
export async function* splitLines<Line>(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  read: (text: string) => Line,
): AsyncGenerator<Line> {
  const lineOf = (bytes: Buffer): Line => read(decode(bytes));
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

function decode(line: Buffer): string {
  try {
    return decoder.decode(line);
  } catch {
    throw clusterError('unavailable', 'streamNotText');
  }
}
