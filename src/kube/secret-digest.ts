import { createHash } from 'node:crypto';
import type { StoredSecret } from './secret.ts';

/**
 * A digest to decide whether two Secret objects are the same in every field without keeping them: thousands of them do
 * not fit into memory. The values are hashed as bytes, which avoids long strings.
 */
export function digestOf({
  data,
  native,
  labels,
  annotations,
  managed: _parsed,
  ...fields
}: StoredSecret): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify([fields, [...labels], [...annotations], withoutValues(native)]));
  for (const [key, value] of data) {
    hash.update(JSON.stringify([key, value.byteLength]));
    hash.update(value);
  }
  return hash.digest('base64');
}

function withoutValues(native: unknown): unknown {
  return typeof native === 'object' && native !== null ? { ...native, data: undefined } : native;
}
