import { rulesOf } from '../contract/access-rules.ts';
import { declaredExpiry } from '../kube/expiry.ts';
import type { SecretData, StoredSecret } from '../kube/secret.ts';
import { controllerOf } from '../kube/controller-reference.ts';
import { textOf } from '../contract/text.ts';
import { certificateNotAfter, valueExpiresAt, warningsOf } from './value-facts.ts';
import { ServiceError } from '../errors/service-error.ts';

/** The values of a Secret, split into two disjoint maps that together cover all keys. */
export type SplitValues = ReturnType<typeof splitValues>;

/** A live Secret with its values, as read, update and restore return it. */
export type SecretDetail = ReturnType<typeof detailOf>;

/** A live Secret without its values, as create returns it. */
export type DescribedSecret = ReturnType<typeof describedOf>;

export function splitValues(data: SecretData) {
  const text = new Map<string, string>();
  const binary = new Map<string, Uint8Array>();
  for (const [key, value] of data) {
    const decoded = textOf(value);
    if (decoded === undefined) binary.set(key, value);
    else text.set(key, decoded);
  }
  return { text, binary };
}

export function binaryKeysOf(data: SecretData): readonly string[] {
  return [...data.entries().filter(([, value]) => textOf(value) === undefined)].map(([key]) => key);
}

/**
 * A live Secret without its values; response-schemas.ts describes each field.
 * Pass `binaryKeys` if they are already computed, which takes long for large values.
 */
export function summaryOf(secret: StoredSecret, binaryKeys = binaryKeysOf(secret.data)) {
  const { isManaged, version, description, lastModifiedBy, lastModifiedAt } = secret.managed;
  const notAfter = certificateNotAfter(secret);
  const valueExpiry = valueExpiresAt(secret);
  const controlledBy = controllerOf(secret);
  return {
    namespace: secret.namespace,
    name: secret.name,
    type: secret.type,
    keys: [...secret.data.keys()],
    keyCount: secret.data.size,
    description,
    version,
    resourceVersion: secret.resourceVersion,
    creationTimestamp: secret.creationTimestamp,
    ...rulesOf(secret.managed),
    managedByService: isManaged,
    immutable: secret.immutable,
    binaryKeys,
    ...(secret.deletionTimestamp !== undefined && { deletionTimestamp: secret.deletionTimestamp }),
    ...(lastModifiedBy !== undefined && { lastModifiedBy }),
    ...(lastModifiedAt !== undefined && { lastModifiedAt }),
    ...(notAfter !== undefined && { certificateNotAfter: notAfter }),
    ...(valueExpiry !== undefined && { valueExpiresAt: valueExpiry }),
    ...declaredExpiry(secret),
    ...(controlledBy !== undefined && { controlledBy }),
  };
}

export function describedOf(secret: StoredSecret, now: Date) {
  return { summary: summaryOf(secret), warnings: warningsOf(secret, now) };
}

export function detailOf(secret: StoredSecret, now: Date) {
  const values = splitValues(secret.data);
  const summary = summaryOf(secret, [...values.binary.keys()]);
  return { summary, values, warnings: warningsOf(secret, now) };
}

export type KeyValue = ReturnType<typeof keyValueOf>;

/**
 * One value, byte for byte, and the live revision that has it, or had it.
 * @throws {ServiceError} `notFound` when there is no such key
 */
export function keyValueOf(
  { data, resourceVersion }: Pick<StoredSecret, 'data' | 'resourceVersion'>,
  key: string,
) {
  const bytes = data.get(key);
  if (bytes !== undefined) return { bytes, resourceVersion };
  throw new ServiceError('notFound', 'There is no such key', { reason: 'keyAbsent' });
}

/** The names of the keys of a Secret. */
export interface KeyNames {
  readonly keys: readonly string[];
  readonly binaryKeys: readonly string[];
}

/** 1,900 names may have 460 KiB, more than all annotations of an object. What is longer is not recorded. */
const MAX_RECORDED = 32_768;
const SEPARATOR = ',';
const BINARY = '=';
const KEY = /^[A-Za-z0-9._-]{1,253}$/;

export function keyNamesOf(data: SecretData): KeyNames {
  return { keys: [...data.keys()], binaryKeys: binaryKeysOf(data) };
}

/** The names as a text for an annotation; undefined if it is too long. */
export function recordOfKeys(data: SecretData): string | undefined {
  const binary = new Set(binaryKeysOf(data));
  const record = [...data.keys()].map((key) => (binary.has(key) ? key + BINARY : key)).join(SEPARATOR);
  return record.length <= MAX_RECORDED ? record : undefined;
}

/** Undefined for anything that {@link recordOfKeys} does not write. */
export function parseKeyRecord(record: string | undefined): KeyNames | undefined {
  if (record === undefined || record.length > MAX_RECORDED) return undefined;
  if (record === '') return { keys: [], binaryKeys: [] };
  const entries = record.split(SEPARATOR);
  const isBinary = (entry: string): boolean => entry.endsWith(BINARY);
  const nameOf = (entry: string): string => (isBinary(entry) ? entry.slice(0, -BINARY.length) : entry);
  const keys = entries.map(nameOf);
  if (new Set(keys).size !== keys.length || !keys.every((key) => KEY.test(key))) return undefined;
  return { keys, binaryKeys: entries.filter(isBinary).map(nameOf) };
}
