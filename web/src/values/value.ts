import type { SplitValues } from '../api/secrets-api.ts';
import { bytesOf, bytesOfBase64, textOf } from '../../../src/contract/text.ts';
import { isolated } from './format.ts';
import { base64Of, formatBytes, utf8Bytes } from './bytes.ts';

/** A value that is in the cluster and not in this page: it is read when someone wants it. */
export interface StoredValue {
  /** Two with the same are the same bytes. */
  readonly id: string;
  readonly isBinary: boolean;
  readonly read: (signal?: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>;
  /** The key that it is stored under, and a read of all keys of its Secret. */
  readonly key: string;
  readonly readAll: () => Promise<SplitValues>;
}

/** The bytes of a file that is no text. */
export interface FileValue {
  readonly fileName: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What a form has for a key: a text, a file, or that the stored value stays. */
export type Value = string | FileValue | StoredValue;

export type FormValues = ReadonlyMap<string, Value>;

export const isStored = (value: Value | undefined): value is StoredValue =>
  typeof value === 'object' && 'read' in value;

export const isFile = (value: Value | undefined): value is FileValue =>
  typeof value === 'object' && 'bytes' in value;

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

/** From here on one request for the whole Secret is better than one for each key: people have 1,200 in a minute. */
const MANY_VALUES = 100;

/** The bytes of values, by key. Of many, those of one Secret are read with one request. */
export async function readValues(values: FormValues): Promise<ReadonlyMap<string, Uint8Array>> {
  const secrets = new Map<StoredValue['readAll'], Promise<SplitValues>>();
  const read = async (value: Value): Promise<Uint8Array> => {
    if (!isStored(value) || values.size < MANY_VALUES) return readValue(value);
    const secret = secrets.get(value.readAll) ?? value.readAll();
    secrets.set(value.readAll, secret);
    const { text, binary } = await secret;
    const base64 = binary.get(value.key);
    return base64 === undefined ? bytesOf(text.get(value.key) ?? '') : bytesOfBase64(base64);
  };
  const all = [...values].map(async ([key, value]) => [key, await read(value)] as const);
  return new Map(await Promise.all(all));
}

/** Values as a request has them; those that are not here are read for it. */
export async function valuesToSend(values: FormValues) {
  const [texts, binary] = [new Map<string, string>(), new Map<string, string>()];
  for (const [key, bytes] of await readValues(values)) {
    const value = values.get(key);
    const text = typeof value === 'string' ? value : textOf(bytes);
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
