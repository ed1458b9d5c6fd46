import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { isExpiryTime } from '../contract/expiry.ts';
import { claimsOfJws, expiryOfClaims } from '../contract/jws.ts';
import { bytesOfBlock, isEncryptedKey, pemBlocks, type PemBlock } from '../contract/pem.ts';
import { readableEncoding } from '../contract/private-key.ts';
import { builtInName } from '../contract/secret-types.ts';
import { formatTime } from '../contract/times.ts';
import {
  MAX_CHAIN,
  MAX_PEM_BYTES,
  tlsWarnings,
  type CertificateFacts,
  type TlsFacts,
  type TlsWarning,
} from '../contract/tls-warnings.ts';
import type { SecretData, StoredSecret } from '../kube/secret.ts';

/** The values of a Secret, and its type. */
type TypedData = Pick<StoredSecret, 'type' | 'data'>;

const CERTIFICATE_KEY = 'tls.crt';

/** Whether the value of the key is a server's certificate, which has a field of its own in summaries. */
function isCertificateKey(type: string, key: string): boolean {
  return key === CERTIFICATE_KEY && builtInName(type) === 'tls';
}

/**
 * When the certificate at the beginning of `tls.crt` expires, in RFC 3339. Undefined for every other type of Secret, and
 * when the first PEM block is no certificate that can be parsed: any bytes may be stored. Text before that block is
 * ignored (RFC 7468, section 2).
 */
export function certificateNotAfter({ type, data }: TypedData): string | undefined {
  if (!isCertificateKey(type, CERTIFICATE_KEY)) return undefined;
  const [first] = pemBlocks(textOf(data, CERTIFICATE_KEY));
  const expiry = first?.label === 'CERTIFICATE' ? notAfterOf(first) : undefined;
  return expiry === undefined ? undefined : formatTime(expiry);
}

/**
 * When a certificate expires, in milliseconds since 1970; it counts in seconds. Undefined if it cannot be parsed. From its
 * text: the `Date` of Node has arbitrary values for a time that does not exist, such as 30 February; the text then says so.
 */
function notAfterOf({ text }: PemBlock): number | undefined {
  const expiry = attempt(() => Date.parse(new X509Certificate(text).validTo)) ?? NaN;
  return Number.isNaN(expiry) ? undefined : expiry;
}

/** The warnings about a Secret's values; none for types other than TLS. */
export function warningsOf({ type, data }: TypedData, now: Date): readonly TlsWarning[] {
  return builtInName(type) === 'tls' ? tlsWarnings(factsOf(data), now.getTime()) : [];
}

function factsOf(data: SecretData): TlsFacts {
  const chain = certificatesOf(textOf(data, 'tls.crt'));
  const last = chain.at(-1);
  return {
    chain: chain.map((certificate, index) => certificate && certificateFacts(certificate, chain[index + 1])),
    key: keyOf(textOf(data, 'tls.key'), chain[0]),
    hasIssuerInCa:
      last !== undefined &&
      certificatesOf(textOf(data, 'ca.crt')).some(
        (issuer) => issuer !== undefined && isIssuedBy(last, issuer),
      ),
  };
}

function textOf(data: SecretData, key: string): string {
  return beginningOf(data.get(key) ?? new Uint8Array(0), MAX_PEM_BYTES);
}

/** As text. One byte is one character, so that hostile bytes cannot make the text longer. */
function beginningOf({ buffer, byteOffset, byteLength }: Uint8Array, maxBytes: number): string {
  return Buffer.from(buffer, byteOffset, Math.min(byteLength, maxBytes)).toString('latin1');
}

/** The certificates at the beginning of a text; undefined is one that cannot be parsed. */
function certificatesOf(text: string): readonly (X509Certificate | undefined)[] {
  const found: (X509Certificate | undefined)[] = [];
  for (const block of pemBlocks(text)) {
    if (block.label !== 'CERTIFICATE' || found.length === MAX_CHAIN) break;
    found.push(attempt(() => new X509Certificate(block.text)));
  }
  return found;
}

function certificateFacts(
  certificate: X509Certificate,
  next: X509Certificate | undefined,
): CertificateFacts | undefined {
  const [notBefore, notAfter] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
  if (Number.isNaN(notBefore) || Number.isNaN(notAfter)) return undefined;
  const isIssuedByNext = next && isIssuedBy(certificate, next);
  return { notBefore, notAfter, isSelfIssued: isIssuedBy(certificate, certificate), isIssuedByNext };
}

/**
 * By the names (RFC 5280, section 7.1). The library's `checkIssued` also reads the extensions: it joins each distribution
 * point with the issuer's name, which takes two seconds for a certificate of 50 KiB.
 */
function isIssuedBy({ issuer }: X509Certificate, { subject }: X509Certificate): boolean {
  return issuer === subject;
}

/** Servers take the first block that is a private key, whatever is before it. */
function keyOf(text: string, certificate: X509Certificate | undefined): TlsFacts['key'] {
  for (const block of pemBlocks(text)) {
    if (!block.label.endsWith('PRIVATE KEY')) continue;
    // Never given to the library, which would derive a key with as many rounds as the value says.
    if (isEncryptedKey(block)) return 'encrypted';
    const key = attempt(() => readKey(block));
    if (key === undefined) return 'unreadable';
    if (certificate === undefined) return 'unknown';
    return attempt(() => certificate.checkPrivateKey(key)) === true ? 'matches' : 'differs';
  }
  return 'unreadable';
}

/** The library gets the bytes that were inspected, and what they are, so that it does not try anything else. */
function readKey(block: PemBlock): KeyObject | undefined {
  const bytes = bytesOfBlock(block);
  const type = readableEncoding(block.label, bytes);
  return type && createPrivateKey({ key: Buffer.from(bytes), format: 'der', type });
}

/** Any bytes may be stored: what the library cannot read is a fact, not an error, and its text may quote the value. */
function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** A Secret has few values that say when they expire. Of any other, the rest is not read. */
const MAX_VALUES = 8;
/** Of all values together. */
const MAX_BYTES = 65_536;
/** Of one value: a server's chain is shorter, and a bundle of CAs is no more urgent than its first ones. */
const MAX_CERTIFICATES = 4;

const CERTIFICATE = Buffer.from('-----BEGIN CERTIFICATE-----');
/** `{"` in base64: the header of every token begins with it. */
const TOKEN = Buffer.from('eyJ');

/**
 * When the first of the values expires that say so themselves, in RFC 3339: certificates (PEM) at the beginning of a value,
 * and tokens (JWT), which are not verified. `tls.crt` of a TLS type has a field of its own. What is malformed is left out:
 * any bytes may be stored.
 */
export function valueExpiresAt({ type, data }: TypedData): string | undefined {
  let left = MAX_BYTES;
  const timesOf = (value: Uint8Array): readonly (number | undefined)[] => {
    const text = beginningOf(value, left);
    if (beginsWith(value, TOKEN)) {
      left -= text.length;
      return [expiryOfClaims(claimsOfJws(text.trimEnd()) ?? {})];
    }
    const first = pemBlocks(text).take(MAX_CERTIFICATES).toArray();
    const blocks = first.filter(({ label }) => label === 'CERTIFICATE');
    for (const block of blocks) left -= block.text.length;
    return blocks.map(notAfterOf);
  };
  const found = data.entries().filter(([key, value]) => isCandidate(value) && !isCertificateKey(type, key));
  const times = [...found.take(MAX_VALUES)]
    .flatMap(([, value]) => timesOf(value))
    .filter((time) => time !== undefined)
    .filter(isExpiryTime);
  return times.length === 0 ? undefined : formatTime(Math.min(...times));
}

/** By its first characters. Base64 of JSON, such as the credentials of a registry, begins like a token and has no dots. */
function isCandidate(value: Uint8Array): boolean {
  if (beginsWith(value, CERTIFICATE)) return true;
  return beginsWith(value, TOKEN) && value.byteLength <= MAX_BYTES && value.includes(0x2e);
}

function beginsWith(value: Uint8Array, beginning: Buffer): boolean {
  return value.byteLength >= beginning.length && beginning.equals(value.subarray(0, beginning.length));
}
