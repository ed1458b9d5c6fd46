import { isObject, sortedEntries, type Json, type JsonObject } from '../json/json.ts';

/** A value of the wrong JSON type, worded like Go's decoder. It names the field, never the value. */
export class DecodeError extends Error {}

/** What decoding saw beyond the value: the paths of unknown fields, which are dropped. */
export interface Decoding {
  readonly kind: string;
  readonly unknown: string[];
}

/**
 * The type of a field. The cluster decodes into Go structs: unknown fields are dropped, null is the zero
 * value, and most zero values are left out when the object is written again.
 */
export interface Shape {
  readonly zero: Json;
  /** Whether a struct leaves the field out when it is zero (Go's omitempty). Pointers are kept as given. */
  readonly omitZero: boolean;
  decode(value: Json, path: string, decoding: Decoding): Json;
}

export function wrongType(value: Json, path: string, decoding: Decoding, goType: string): DecodeError {
  const found = Array.isArray(value) ? 'array' : isObject(value) ? 'object' : goName(typeof value);
  return new DecodeError(
    `json: cannot unmarshal ${found} into Go struct field ${decoding.kind}.${path} of type ${goType}`,
  );
}

function goName(type: string): string {
  return type === 'boolean' ? 'bool' : type;
}

export const text: Shape = {
  zero: '',
  omitZero: true,
  decode(value, path, decoding) {
    if (typeof value !== 'string') throw wrongType(value, path, decoding, 'string');
    return value.toWellFormed();
  },
};

/** A *bool: false is kept, and so is the difference between false and absent. */
export const flag: Shape = {
  zero: null,
  omitZero: true,
  decode(value, path, decoding) {
    if (typeof value !== 'boolean') throw wrongType(value, path, decoding, 'bool');
    return value;
  },
};

/** An *int32 or *int64. */
export const integer: Shape = {
  zero: null,
  omitZero: true,
  decode(value, path, decoding) {
    if (typeof value !== 'number' || !Number.isSafeInteger(value))
      throw wrongType(value, path, decoding, 'int64');
    return value;
  },
};

/** An int that is left out when it is 0. */
export const plainInteger: Shape = { ...integer, zero: 0 };

/** Anything at all: for the parts of an object whose fields the development cluster does not know. */
export const anything: Shape = { zero: null, omitZero: true, decode: (value) => withoutNulls(value) };

/** []byte: base64. Go takes line breaks and stray bits in the last group, and writes the canonical form. */
export const bytes: Shape = {
  zero: '',
  omitZero: true,
  decode(value, path, decoding) {
    if (typeof value !== 'string') throw wrongType(value, path, decoding, '[]uint8');
    const clean = value.replace(/[\r\n]/g, '');
    if (clean.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(clean)) {
      throw new DecodeError(`illegal base64 data at input byte ${clean.search(/[^A-Za-z0-9+/]|$/)}`);
    }
    if (!clean.endsWith('=')) return clean;
    return clean.slice(0, -4) + Buffer.from(clean.slice(-4), 'base64').toString('base64');
  },
};

export function listOf(item: Shape): Shape {
  return {
    zero: [],
    omitZero: true,
    decode(value, path, decoding) {
      if (!Array.isArray(value)) throw wrongType(value, path, decoding, '[]');
      return (value as readonly Json[]).map((entry) =>
        entry === null ? item.zero : item.decode(entry, path, decoding),
      );
    },
  };
}

/** A map with keys of the user's choosing: every own key is kept, and a null value becomes the zero value. */
export function mapOf(item: Shape): Shape {
  return {
    zero: {},
    omitZero: true,
    decode(value, path, decoding) {
      if (!isObject(value)) throw wrongType(value, path, decoding, 'map[string]');
      const entries = sortedEntries(value).map(([key, entry]) => [
        key.toWellFormed(),
        entry === null ? item.zero : item.decode(entry, path, decoding),
      ]);
      return Object.fromEntries(entries) as JsonObject;
    },
  };
}

/** A struct. Its fields are written in the order given here. */
export function structOf(fields: Readonly<Record<string, Shape>>): Shape {
  return {
    zero: null,
    omitZero: true,
    decode(value, path, decoding) {
      if (!isObject(value)) throw wrongType(value, path, decoding, 'struct');
      for (const key of Object.keys(value)) {
        if (!Object.hasOwn(fields, key)) decoding.unknown.push(path === '' ? key : `${path}.${key}`);
      }
      return Object.fromEntries(decodeFields(fields, value, path, decoding));
    },
  };
}

function* decodeFields(
  fields: Readonly<Record<string, Shape>>,
  value: JsonObject,
  path: string,
  decoding: Decoding,
): Generator<[string, Json]> {
  for (const [name, shape] of Object.entries(fields)) {
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    const decoded =
      given === undefined || given === null
        ? shape.zero
        : shape.decode(given, path === '' ? name : `${path}.${name}`, decoding);
    if (!shape.omitZero || !isZero(decoded, shape.zero)) yield [name, decoded];
  }
}

function isZero(value: Json, zero: Json): boolean {
  if (value === zero) return true;
  if (zero === null) return false;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && isObject(zero) && Object.keys(value).length === 0;
}

function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(withoutNulls);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([, entry]) => entry !== null && entry !== undefined);
  return Object.fromEntries(kept.map(([key, entry]) => [key, withoutNulls(entry ?? null)]));
}
