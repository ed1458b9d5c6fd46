import { textOf } from '../../../src/contract/text.ts';
import { formatBytes } from './bytes.ts';

/** A file that was read, or why it was not. */
export type ReadFile =
  { readonly name: string; readonly text: string } | { readonly name: string; readonly refused: string };

/** Reads a text file; one that is too large is not even opened. */
export async function readTextFile(file: File, maxBytes: number): Promise<ReadFile> {
  const { name } = file;
  if (file.size > maxBytes) {
    return { name, refused: `${name}: larger than ${formatBytes(maxBytes)}, so it was not read.` };
  }
  const bytes = await file.arrayBuffer().catch(() => undefined);
  if (bytes === undefined) return { name, refused: `${name}: it cannot be read.` };
  const text = textOf(new Uint8Array(bytes));
  if (text !== undefined) return { name, text };
  return {
    name,
    refused: `${name}: binary files cannot be stored as text. Use kubectl for binary values.`,
  };
}
