import { heapBytesOf, listItemOf, type ListItem } from '../lists/list-item.ts';
import type { StoredSecret } from '../kube/secret.ts';

/** What is held of a live Secret. */
export type CachedSecret = WholeSecret | ReducedSecret;

interface Live {
  readonly kind: 'live';
  /** Whether deletion waits for finalizers. */
  readonly terminating: boolean;
  /** What the whole takes of the heap, nearly. */
  readonly heapBytes: number;
}

/** Its list item. */
export interface WholeSecret extends ListItem, Live {
  readonly isReduced?: undefined;
  readonly bytes: number;
}

/** Its metadata alone: what the history needs, and the expiry of its certificate. */
export interface ReducedSecret
  extends Live, Pick<ListItem, 'namespace' | 'name' | 'uid' | 'resourceVersion' | 'notAfter'> {
  readonly isReduced: true;
}

/** What the metadata of a Secret takes of the heap, nearly. */
export const REDUCED_BYTES = 512;

/** Reduces a Secret to what is held of it. */
export function cachedSecretOf(secret: StoredSecret & { readonly bytes: number }): WholeSecret {
  const item = listItemOf(secret);
  const terminating = secret.deletionTimestamp !== undefined;
  return { ...item, kind: 'live', terminating, bytes: secret.bytes, heapBytes: heapBytesOf(item) };
}

export function reducedSecretOf(secret: CachedSecret): ReducedSecret {
  const { kind, namespace, name, uid, resourceVersion, terminating, notAfter, heapBytes } = secret;
  return { kind, isReduced: true, namespace, name, uid, resourceVersion, terminating, notAfter, heapBytes };
}

export function isWhole(secret: CachedSecret): secret is WholeSecret {
  return secret.isReduced !== true;
}
