import type { SecretData } from '../kube/secret.ts';
import { binaryKeysOf } from './secret-view.ts';

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
