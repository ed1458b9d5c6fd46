import { createHash } from 'node:crypto';
import type { SecretData } from '../../kube/secret.ts';

/** Which keys a state has that an older one lacks, holds with another value, or lacks itself. Names only. */
export interface KeyChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** Values by key as digests: what tells two states apart, once their values are no longer in memory. */
export type KeyDigests = ReadonlyMap<string, string>;

/** 128 bits: enough for values of one Secret that no one compares but the service itself. */
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
