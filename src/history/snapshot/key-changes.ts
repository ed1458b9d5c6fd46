import { createHash } from 'node:crypto';
import type { SecretData } from '../../kube/secret.ts';

/** The keys that were added, changed or removed since an older state. Names only. */
export interface KeyChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** Digests of the values by key, to compare two states without their values in memory. */
export type KeyDigests = ReadonlyMap<string, string>;

/** 128 bits: enough to compare the values of one Secret within the service. */
const DIGEST_BYTES = 16;

export function digestsOf(data: SecretData): KeyDigests {
  return new Map(
    [...data].map(([key, value]) => [
      key,
      createHash('sha256').update(value).digest().subarray(0, DIGEST_BYTES).toString('base64'),
    ]),
  );
}

export function changesBetween(older: KeyDigests, newer: KeyDigests): KeyChanges {
  const keys = [...newer.keys()];
  return {
    added: keys.filter((key) => !older.has(key)),
    changed: keys.filter((key) => older.has(key) && older.get(key) !== newer.get(key)),
    removed: [...older.keys()].filter((key) => !newer.has(key)),
  };
}
