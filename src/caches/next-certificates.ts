import type { ListItem } from '../lists/list-item.ts';

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
