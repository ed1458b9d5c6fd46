import { ServiceError } from '../../errors/service-error.ts';
import type { ObjectIdentity } from '../../kube/secret.ts';

/** An object of the cluster as `JSON.parse` made it. */
export type RawObject = Readonly<Record<string, unknown>>;

/** Keeps no state between two bodies: each is decoded as a whole. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The parsed text or body, or undefined if it is not JSON, in UTF-8. `JSON.parse` keeps keys such as `__proto__` as own
 * properties. Its error quotes the text, so it is dropped.
 */
export function parseJson(body: Uint8Array | string): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : decoder.decode(body)) as unknown;
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is RawObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own property, never an inherited one. */
export function field(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The cluster's response does not follow its API. */
export function malformed(reason: string): ServiceError {
  return new ServiceError('unavailable', 'The cluster gave an answer that cannot be used', { reason });
}

export function requiredText(value: unknown, reason: string): string {
  if (typeof value !== 'string' || value === '') throw malformed(reason);
  return value;
}

export function optionalText(value: unknown, reason: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  return requiredText(value, reason);
}

/** A map with user-chosen keys; an absent map is an empty one. `Object.entries` is slow for the 50,000 keys of a Secret. */
export function mapOf<Value>(value: unknown, reason: string, decode: (entry: unknown) => Value) {
  const map = new Map<string, Value>();
  if (value === undefined || value === null) return map;
  if (!isObject(value)) throw malformed(reason);
  for (const key of Object.keys(value)) map.set(key, decode(value[key]));
  return map;
}

/** A map of texts. */
export function textMap(value: unknown, reason: string): ReadonlyMap<string, string> {
  return mapOf(value, reason, (text) => {
    if (typeof text !== 'string') throw malformed(reason);
    return text;
  });
}

/** Reads the identity of an object of a kind. @param reason is that of the error when it is malformed, or of another kind */
export function decodeIdentity(native: unknown, kind: string, reason: string): ObjectIdentity {
  const own = field(native, 'kind');
  // Objects within a list have none.
  if (own !== undefined && own !== kind) throw malformed(reason);
  const metadata = field(native, 'metadata');
  const text = (name: string): string => requiredText(field(metadata, name), reason);
  return {
    namespace: text('namespace'),
    name: text('name'),
    uid: text('uid'),
    resourceVersion: text('resourceVersion'),
  };
}
