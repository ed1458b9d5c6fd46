import { ServiceError } from '../errors/service-error.ts';
import type { StoredSecret } from '../kube/secret.ts';

/** One value, byte for byte. */
export interface KeyValue {
  readonly bytes: Uint8Array;
  /** The live revision that has it, or had it. */
  readonly resourceVersion: string;
}

/** @throws {ServiceError} `notFound` when there is no such key */
export function keyValueOf(
  { data, resourceVersion }: Pick<StoredSecret, 'data' | 'resourceVersion'>,
  key: string,
): KeyValue {
  const bytes = data.get(key);
  if (bytes !== undefined) return { bytes, resourceVersion };
  throw new ServiceError('notFound', 'There is no such key', { reason: 'keyAbsent' });
}
