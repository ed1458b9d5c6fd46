import { clusterError } from './errors.ts';

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
