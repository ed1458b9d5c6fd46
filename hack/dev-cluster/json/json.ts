/** A parsed JSON value. Objects may have any own key, `__proto__` among them: read them through `own`. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The own property `key`; inherited ones (`__proto__`, `constructor`) are no data. */
export function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The value below `path`, or undefined where something on the way is missing or no object. */
export function at(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  let current = value;
  for (const key of path) {
    if (!isObject(current)) return undefined;
    current = own(current, key);
  }
  return current;
}

export function objectAt(value: Json | undefined, ...path: readonly string[]): JsonObject | undefined {
  const found = at(value, ...path);
  return isObject(found) ? found : undefined;
}

export function textAt(value: Json | undefined, ...path: readonly string[]): string {
  return asText(at(value, ...path));
}

/** The text that `value` is, or '' when it is none. */
export function asText(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function listAt(value: Json | undefined, ...path: readonly string[]): readonly Json[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? (found as readonly Json[]) : [];
}

/** Own entries in the order of their keys' bytes, as Go writes maps. */
export function sortedEntries(object: JsonObject): [string, Json][] {
  const entries: [string, Json][] = [];
  for (const key of Object.keys(object).sort()) {
    const value = object[key];
    if (value !== undefined) entries.push([key, value]);
  }
  return entries;
}

/** A copy with `key` set, or removed when `value` is undefined. `Object.fromEntries` keeps `__proto__` an own key. */
export function withField(object: JsonObject, key: string, value: Json | undefined): JsonObject {
  const entries = new Map(Object.entries(object));
  if (value === undefined) entries.delete(key);
  else entries.set(key, value);
  return Object.fromEntries(entries);
}

/** A copy with the value below `path` set; objects on the way are made where they are missing. */
export function withPath(object: JsonObject, path: readonly string[], value: Json): JsonObject {
  const [key, ...rest] = path;
  if (key === undefined) return object;
  if (rest.length === 0) return withField(object, key, value);
  return withField(object, key, withPath(objectAt(object, key) ?? {}, rest, value));
}
