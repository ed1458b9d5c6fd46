import { childrenOf, oidOf, readDer, required, sameBytes, sequenceOf, type DerElement } from './der.ts';

/** PKCS #8 (RFC 5958), PKCS #1 (RFC 8017) or SEC 1 (RFC 5915). */
export type KeyEncoding = 'pkcs8' | 'pkcs1' | 'sec1';

/** An RSA key of 16,384 bits has 9.3 KiB. */
const MAX_KEY_BYTES = 16_384;
/** 16,384 bits; the sign is not counted. */
const MAX_RSA_BYTES = 2_048;
/** Version, modulus, both exponents, two primes and what is derived from them. */
const RSA_FIELDS = 9;

const RSA: readonly string[] = ['1.2.840.113549.1.1.1', '1.2.840.113549.1.1.10'];
const ELLIPTIC_CURVE = '1.2.840.10045.2.1';
const EDWARDS_CURVES: readonly string[] = ['1.3.101.112', '1.3.101.113'];
/** Bytes of a private key, by curve: P-224, P-256, P-384, P-521, secp256k1, and the three of Brainpool that TLS has. */
const CURVE_BYTES: ReadonlyMap<string, number> = new Map([
  ['1.3.132.0.33', 28],
  ['1.2.840.10045.3.1.7', 32],
  ['1.3.132.0.34', 48],
  ['1.3.132.0.35', 66],
  ['1.3.132.0.10', 32],
  ['1.3.36.3.3.2.8.1.1.7', 32],
  ['1.3.36.3.3.2.8.1.1.11', 48],
  ['1.3.36.3.3.2.8.1.1.13', 64],
]);

const INTEGER = 0x02;
const OCTETS = 0x04;
const OBJECT_IDENTIFIER = 0x06;
const PARAMETERS = 0xa0;

/**
 * How a private key is encoded, if a library may read it: RSA of two primes up to 16,384 bits, an elliptic curve by its
 * name, Ed25519 or Ed448. Undefined for everything else. Anyone can store a key, and to read one of another kind, such
 * as DSA, costs a library seconds: it computes the public key with numbers of any size.
 */
export function readableEncoding(label: string, key: Uint8Array): KeyEncoding | undefined {
  try {
    if (key.length > MAX_KEY_BYTES || readDer(key).end !== key.length) return undefined;
    if (label === 'PRIVATE KEY') return isReadablePkcs8(key) ? 'pkcs8' : undefined;
    if (label === 'RSA PRIVATE KEY') return isReadableRsa(key) ? 'pkcs1' : undefined;
    return label === 'EC PRIVATE KEY' && isReadableCurve(key) ? 'sec1' : undefined;
  } catch {
    return undefined; // Malformed.
  }
}

function isReadablePkcs8(key: Uint8Array): boolean {
  const [, algorithm, inner] = sequenceOf(key);
  const [identifier, parameters] = childrenOf(required(algorithm));
  const kind = oidOf(required(identifier));
  const { tag, content } = required(inner);
  if (tag !== OCTETS) return false;
  if (EDWARDS_CURVES.includes(kind)) return true;
  if (RSA.includes(kind)) return isReadableRsa(content);
  return kind === ELLIPTIC_CURVE && isReadableCurve(content, required(parameters));
}

function isReadableRsa(key: Uint8Array): boolean {
  const fields = sequenceOf(key);
  // Another version than 0 has more than two primes.
  const isOfTwoPrimes =
    fields.length === RSA_FIELDS && sameBytes(required(fields[0]).content, Uint8Array.of(0));
  return isOfTwoPrimes && fields.every(({ tag, content }) => tag === INTEGER && fitsRsa(content));
}

function fitsRsa(integer: Uint8Array): boolean {
  const [first = 0] = integer;
  return first < 0x80 && integer.length - (first === 0 ? 1 : 0) <= MAX_RSA_BYTES;
}

/** @param outer the curve that PKCS #8 names; a curve inside the key would replace it */
function isReadableCurve(key: Uint8Array, outer?: DerElement): boolean {
  const [, secret, ...others] = sequenceOf(key);
  const parameters = others.find(({ tag }) => tag === PARAMETERS);
  const inner = parameters && readDer(parameters.content);
  const curve = required(outer ?? inner);
  if (inner !== undefined && !sameBytes(inner.content, curve.content)) return false;
  const bytes = CURVE_BYTES.get(oidOf(curve)) ?? 0;
  return (
    [curve, inner ?? curve].every(({ tag }) => tag === OBJECT_IDENTIFIER) &&
    required(secret).tag === OCTETS &&
    required(secret).content.length <= bytes
  );
}
