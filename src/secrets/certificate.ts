import { X509Certificate } from 'node:crypto';
import { builtInName } from '../contract/secret-types.ts';
import type { SecretData } from '../kube/secret.ts';

const BEGIN = Buffer.from('-----BEGIN ');
const BEGIN_CERTIFICATE = Buffer.from('-----BEGIN CERTIFICATE-----');
const END_CERTIFICATE = Buffer.from('-----END CERTIFICATE-----');
/** A certificate is a few KiB long. What begins or ends later is not parsed. */
const LONGEST = 65_536;

/**
 * When the certificate at the beginning of `tls.crt` expires, in RFC 3339. Undefined for every other type of Secret, and
 * when the first PEM block is no certificate that can be parsed. Text before that block is ignored (RFC 7468, section 2).
 */
export function certificateNotAfter({
  type,
  data,
}: {
  readonly type: string;
  readonly data: SecretData;
}): string | undefined {
  const stored = builtInName(type) === 'tls' ? data.get('tls.crt') : undefined;
  const pem = stored && firstCertificate(Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength));
  return pem && notAfterOf(pem);
}

function firstCertificate(stored: Buffer): Buffer | undefined {
  const text = stored.subarray(0, LONGEST);
  const begin = text.indexOf(BEGIN);
  if (begin === -1 || text.indexOf(BEGIN_CERTIFICATE, begin) !== begin) return undefined;
  const end = text.indexOf(END_CERTIFICATE, begin);
  return end === -1 ? undefined : text.subarray(begin, end + END_CERTIFICATE.byteLength);
}

/**
 * A time of a certificate, in milliseconds since 1970, from its text. The `Date` of Node has arbitrary values for a time
 * that does not exist, such as 30 February; the text then says so.
 * @returns NaN for such a time
 */
export function certificateTime(text: string): number {
  return Date.parse(text);
}

function notAfterOf(pem: Buffer): string | undefined {
  const expiry = expiryOf(pem);
  // Certificates count in seconds.
  return Number.isNaN(expiry) ? undefined : new Date(expiry).toISOString().replace('.000Z', 'Z');
}

function expiryOf(pem: Buffer): number {
  try {
    return certificateTime(new X509Certificate(pem).validTo);
  } catch {
    // The contract lets any bytes be stored: such a Secret has no expiry to show, which is no error.
    return Number.NaN;
  }
}
