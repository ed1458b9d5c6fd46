import { bytesOf, textOf } from '../../../src/contract/text.ts';
import { isolated } from './format.ts';
import { base64Of, formatBytes, utf8Bytes } from './bytes.ts';

/** A value that is in the cluster and not in this page: it is read when someone wants it. */
export interface StoredValue {
  /** Two with the same are the same bytes. */
  readonly id: string;
  readonly isBinary: boolean;
  readonly read: (signal?: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>;
}

/** The bytes of a file that is no text. */
export interface FileValue {
  readonly fileName: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What a form has for a key: a text, a file, or that the stored value stays. */
export type Value = string | FileValue | StoredValue;

export type FormValues = ReadonlyMap<string, Value>;

export function isStored(value: Value | undefined): value is StoredValue {
  return typeof value === 'object' && 'read' in value;
}

export function isFile(value: Value | undefined): value is FileValue {
  return typeof value === 'object' && 'bytes' in value;
}

export function sameValue(left: Value | undefined, right: Value | undefined): boolean {
  return left === right || (isStored(left) && isStored(right) && left.id === right.id);
}

/** The bytes that a request needs for a value; none for one that stays where it is. */
export function bytesToSend(value: Value): number {
  if (typeof value === 'string') return utf8Bytes(value);
  return isFile(value) ? value.bytes.length : 0;
}

export async function readValue(value: Value): Promise<Uint8Array> {
  if (typeof value === 'string') return bytesOf(value);
  return isFile(value) ? value.bytes : value.read();
}

/** Values as a request has them; those that are not here are read for it. */
export async function valuesToSend(values: FormValues) {
  const [texts, binary] = [new Map<string, string>(), new Map<string, string>()];
  const read = async ([key, value]: readonly [string, Value]) => {
    const bytes = await readValue(value);
    return { key, bytes, text: typeof value === 'string' ? value : textOf(bytes) };
  };
  for (const { key, bytes, text } of await Promise.all([...values].map(read))) {
    if (text === undefined) binary.set(key, base64Of(bytes));
    else texts.set(key, text);
  }
  return {
    texts: Object.fromEntries(texts),
    ...(binary.size === 0 ? {} : { setBinary: Object.fromEntries(binary) }),
  };
}

/** A file that was read, or why it was not. */
export type ReadFile = { readonly name: string } & (
  | { readonly value: string | FileValue }
  | { readonly refused: string }
);

/** Reads a file, as text where it is text; one that is too large is not even opened. */
export async function readFile(file: File, maxBytes: number): Promise<ReadFile> {
  const { name } = file;
  if (file.size > maxBytes) {
    return { name, refused: `${isolated(name)}: larger than ${formatBytes(maxBytes)}, so it was not read.` };
  }
  const buffer = await file.arrayBuffer().catch(() => undefined);
  if (buffer === undefined) return { name, refused: `${isolated(name)}: it cannot be read.` };
  const bytes = new Uint8Array(buffer);
  return { name, value: textOf(bytes) ?? { fileName: name, bytes } };
}
