import type { IndexedLive } from '../history/history.ts';
import {
  createFirstOf,
  heapBytesOf,
  listItemOf,
  soonestOf,
  type ExpiryKind,
  type ListItem,
} from '../lists/list-item.ts';
import type { StoredSecret } from '../kube/secret.ts';

/** What is cached of a live Secret. */
export type CachedSecret = WholeSecret | ReducedSecret;

interface Live extends IndexedLive {
  /** What the whole takes of the heap, nearly. */
  readonly heapBytes: number;
}

/** Its list item. */
export interface WholeSecret extends ListItem, Live {
  readonly isReduced?: undefined;
  readonly bytes: number;
}

/** Its metadata alone: what the history needs, and when it expires. */
export interface ReducedSecret extends Live, Pick<ListItem, 'expiries'> {
  readonly isReduced: true;
}

/** What the metadata of a Secret takes of the heap, nearly. */
export const REDUCED_BYTES = 512;

/** Reduces a Secret to what is cached of it. */
export function cachedSecretOf(secret: StoredSecret & { readonly bytes: number }): WholeSecret {
  const item = listItemOf(secret);
  const terminating = secret.deletionTimestamp !== undefined;
  return { ...item, kind: 'live', terminating, bytes: secret.bytes, heapBytes: heapBytesOf(item) };
}

export function reducedSecretOf(
  secret: IndexedLive & Partial<Pick<CachedSecret, 'expiries' | 'heapBytes'>>,
): ReducedSecret {
  const { kind, namespace, name, uid, resourceVersion, terminating } = secret;
  const { expiries, heapBytes = REDUCED_BYTES } = secret;
  return { kind, isReduced: true, namespace, name, uid, resourceVersion, terminating, expiries, heapBytes };
}

export const isWhole = (secret: CachedSecret): secret is WholeSecret => secret.isReduced !== true;

type Expiring = Pick<ListItem, 'namespace' | 'name' | 'expiries'>;

/**
 * The first to expire of these Secrets, those that have expired among them; of at most `most` Secrets. Of each expiry
 * the Secret, what says so, and when (seconds since 1970).
 */
export function nextExpiries(secrets: Iterable<Expiring>, kinds: readonly ExpiryKind[], most: number) {
  const soonest = createFirstOf((secret: Expiring) => soonestOf(secret, kinds) ?? Infinity, most);
  for (const secret of secrets) if (soonestOf(secret, kinds) !== undefined) soonest.add(secret);
  return soonest.first().flatMap(({ namespace, name, expiries }) =>
    kinds.flatMap((kind) => {
      const at = expiries?.[kind];
      return at === undefined ? [] : [{ namespace, name, kind, at }];
    }),
  );
}
