import type { SecretData } from '../../kube/secret.ts';

/** Whether two sets of values are identical, key by key and byte by byte. */
export function sameData(one: SecretData, other: SecretData): boolean {
  if (one.size !== other.size) return false;
  for (const [key, value] of one) {
    const counterpart = other.get(key);
    if (counterpart === undefined || Buffer.compare(value, counterpart) !== 0) return false;
  }
  return true;
}

/** The bytes of all values together, without the keys, as in the cluster's own limit. */
export function dataBytes(data: SecretData): number {
  let total = 0;
  for (const value of data.values()) total += value.byteLength;
  return total;
}
