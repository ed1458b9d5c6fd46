import { textOf } from '../../../src/contract/text.ts';
import { formatBytes } from './bytes.ts';
import type { FileValue } from './value.ts';

interface Refused {
  readonly name: string;
  readonly refused: string;
}

/** A file that was read, or why it was not. */
export type ReadFile = { readonly name: string; readonly value: string | FileValue } | Refused;

/** Reads a file, as text where it is text; one that is too large is not even opened. */
export async function readFile(file: File, maxBytes: number): Promise<ReadFile> {
  const { name } = file;
  if (file.size > maxBytes) {
    return { name, refused: `${name}: larger than ${formatBytes(maxBytes)}, so it was not read.` };
  }
  const buffer = await file.arrayBuffer().catch(() => undefined);
  if (buffer === undefined) return { name, refused: `${name}: it cannot be read.` };
  const bytes = new Uint8Array(buffer);
  return { name, value: textOf(bytes) ?? { fileName: name, bytes } };
}
