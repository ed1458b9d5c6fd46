import type { IndexedLive } from '../history/history.ts';
import { heapBytesOf, listItemOf, type ListItem } from '../lists/list-item.ts';
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

/** Its metadata alone: what the history needs, and the expiry of its certificate. */
export interface ReducedSecret extends Live, Pick<ListItem, 'notAfter'> {
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
  secret: IndexedLive & Partial<Pick<CachedSecret, 'notAfter' | 'heapBytes'>>,
): ReducedSecret {
  const { kind, namespace, name, uid, resourceVersion, terminating } = secret;
  const { notAfter, heapBytes = REDUCED_BYTES } = secret;
  return { kind, isReduced: true, namespace, name, uid, resourceVersion, terminating, notAfter, heapBytes };
}

export function isWhole(secret: CachedSecret): secret is WholeSecret {
  return secret.isReduced !== true;
}

/** What is shown of a certificate: where it is, and when it expires (seconds since 1970). */
export interface CertificateExpiry {
  readonly namespace: string;
  readonly name: string;
  readonly notAfter: number;
}

type CachedCertificate = Pick<ListItem, 'namespace' | 'name' | 'notAfter'>;

/** The Secrets whose certificates expire first, those that have expired among them; never more than `most`. */
export function nextCertificates(
  secrets: Iterable<CachedCertificate>,
  most: number,
): readonly CertificateExpiry[] {
  let first: CertificateExpiry[] = [];
  for (const { namespace, name, notAfter } of secrets) {
    if (notAfter === undefined) continue;
    first.push({ namespace, name, notAfter });
    if (first.length >= 2 * most) first = earliest(first, most);
  }
  return earliest(first, most);
}

function earliest(certificates: CertificateExpiry[], most: number): CertificateExpiry[] {
  return certificates.sort((one, other) => one.notAfter - other.notAfter).slice(0, most);
}
