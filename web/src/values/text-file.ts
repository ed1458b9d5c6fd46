import { textOf } from '../../../src/contract/text.ts';
import { formatBytes } from './bytes.ts';
import { TEXT_FILE_WORDS } from '../words/values.ts';

/** A file that was read, or why it was not. */
export type ReadFile =
  { readonly name: string; readonly text: string } | { readonly name: string; readonly refused: string };

/** Reads a text file; one that is too large is not even opened. */
export async function readTextFile(file: File, maxBytes: number): Promise<ReadFile> {
  const { name } = file;
  if (file.size > maxBytes) {
    return { name, refused: TEXT_FILE_WORDS.tooLarge(name, formatBytes(maxBytes)) };
  }
  const bytes = await file.arrayBuffer().catch(() => undefined);
  if (bytes === undefined) return { name, refused: TEXT_FILE_WORDS.unreadable(name) };
  const text = textOf(new Uint8Array(bytes));
  if (text !== undefined) return { name, text };
  return {
    name,
    refused: TEXT_FILE_WORDS.binary(name),
  };
}
