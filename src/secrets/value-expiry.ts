import { isExpiryTime } from '../contract/expiry.ts';
import { claimsOfJws, expiryOfClaims } from '../contract/jws.ts';
import { pemBlocks } from '../contract/pem.ts';
import { formatTime } from '../contract/times.ts';
import { beginningOf, isCertificateKey, notAfterOf, type TypedData } from './tls-facts.ts';

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
    const blocks = pemBlocks(text)
      .take(MAX_CERTIFICATES)
      .filter(({ label }) => label === 'CERTIFICATE')
      .toArray();
    for (const block of blocks) left -= block.text.length;
    return blocks.map(notAfterOf);
  };
  const times = [...data]
    .filter(([key, value]) => isCandidate(value) && !isCertificateKey(type, key))
    .slice(0, MAX_VALUES)
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
  return beginning.equals(value.subarray(0, beginning.length));
}
