import { type Json, type JsonObject } from '../json/json.ts';
import { wholeSeconds } from '../kinds/times.ts';
import { fieldsOf, WireError } from './wire.ts';

type WireValue = bigint | Buffer;

/** What a field holds, in JSON; undefined for what the encoder writes in place of an absent one. */
type Read = (value: WireValue) => Json | undefined;

export type FieldType =
  | { readonly one: Read }
  /** Each occurrence is an item. */
  | { readonly items: Read }
  /** Each occurrence is a message of a key and a value. */
  | { readonly values: Read };

/** The fields of a message by their numbers, with their names in JSON. */
export type Message = Readonly<Record<number, readonly [name: string, type: FieldType]>>;

const text: Read = (value) => bytesIn(value).toString('utf8');

export const TEXT: FieldType = { one: (value) => (bytesIn(value).length === 0 ? undefined : text(value)) };
export const NUMBER: FieldType = { one: (value) => Number(numberIn(value)) };
export const BOOLEAN: FieldType = { one: (value) => numberIn(value) !== 0n };
export const TEXTS: FieldType = { items: text };
export const TEXT_MAP: FieldType = { values: text };
/** Base64 in JSON. */
export const BYTES_MAP: FieldType = { values: (value) => bytesIn(value).toString('base64') };
/** Seconds since 1970; a time that is not set has none. */
export const TIME: FieldType = {
  one: (value) => {
    const seconds = fieldsOf(bytesIn(value)).find(({ number }) => number === 1)?.value;
    return seconds === undefined ? undefined : timeOf(Number(numberIn(seconds)));
  },
};

export function message(fields: Message): FieldType {
  return { one: (value) => readMessage(fields, bytesIn(value)) };
}

export function messages(fields: Message): FieldType {
  return { items: (value) => readMessage(fields, bytesIn(value)) };
}

/**
 * The JSON of a message, without the fields that are not named.
 * @throws {WireError} when the bytes are no such message
 */
export function readMessage(fields: Message, bytes: Buffer): JsonObject {
  const object = new Map<string, Json>();
  const items = new Map<string, Json[]>();
  const entries = new Map<string, Map<string, Json>>();
  for (const { number, value } of fieldsOf(bytes)) {
    const field = fields[number];
    if (field === undefined) continue;
    const [name, type] = field;
    if ('items' in type) of(items, name, () => []).push(type.items(value) ?? null);
    else if ('values' in type)
      readEntry(
        of(entries, name, () => new Map<string, Json>()),
        type.values,
        value,
      );
    else setGiven(object, name, type.one(value));
  }
  for (const [name, list] of items) object.set(name, list);
  for (const [name, map] of entries) object.set(name, Object.fromEntries(map));
  return Object.fromEntries(object);
}

function readEntry(map: Map<string, Json>, read: Read, value: WireValue): void {
  const entry = new Map(fieldsOf(bytesIn(value)).map((field) => [field.number, field.value]));
  const part = (number: number): WireValue => entry.get(number) ?? Buffer.alloc(0);
  setGiven(map, bytesIn(part(1)).toString('utf8'), read(part(2)));
}

function setGiven(map: Map<string, Json>, key: string, value: Json | undefined): void {
  if (value !== undefined) map.set(key, value);
}

function of<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  const found = map.get(key) ?? create();
  map.set(key, found);
  return found;
}

function timeOf(seconds: number): string {
  const date = new Date(seconds * 1_000);
  if (Number.isNaN(date.getTime())) throw new WireError('time out of range');
  return wholeSeconds(date);
}

function bytesIn(value: WireValue): Buffer {
  if (typeof value === 'bigint') throw new WireError('wrong wire type');
  return value;
}

function numberIn(value: WireValue): bigint {
  if (typeof value !== 'bigint') throw new WireError('wrong wire type');
  return BigInt.asIntN(64, value);
}
