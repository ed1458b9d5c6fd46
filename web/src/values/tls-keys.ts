import {
  childrenOf,
  oidOf,
  required,
  sameBytes,
  sequenceOf,
  type DerElement,
} from '../../../src/contract/der.ts';

/** What identifies a key pair: the modulus of RSA, the point of an elliptic curve. */
export interface PublicKey {
  readonly kind: 'rsa' | 'ec';
  readonly bytes: Uint8Array;
}

const RSA = '1.2.840.113549.1.1.1';
const EC = '1.2.840.10045.2.1';
const BIT_STRING = 0x03;

/**
 * The key of a SubjectPublicKeyInfo (RFC 5280, section 4.1); undefined for other kinds.
 * @throws {RangeError} when it is malformed
 */
export function publicKeyOf(info: DerElement): PublicKey | undefined {
  const [algorithm, key] = childrenOf(info);
  // The first byte of a bit string counts its unused bits.
  const bytes = required(key).content.subarray(1);
  switch (kindOf(required(algorithm))) {
    case RSA:
      return { kind: 'rsa', bytes: withoutSign(required(sequenceOf(bytes)[0]).content) };
    case EC:
      return { kind: 'ec', bytes };
    default:
      return undefined;
  }
}

/**
 * The public half of a private key: PKCS #8 (RFC 5958), PKCS #1 (RFC 8017) or SEC 1 (RFC 5915). Undefined if the key does
 * not contain it.
 * @throws {RangeError} when it is malformed
 */
export function privateKeyOf(label: string, bytes: Uint8Array): PublicKey | undefined {
  const fields = sequenceOf(bytes);
  if (label === 'RSA PRIVATE KEY') return { kind: 'rsa', bytes: withoutSign(required(fields[1]).content) };
  if (label === 'EC PRIVATE KEY') return pointIn(fields);
  if (label !== 'PRIVATE KEY') return undefined;
  const kind = kindOf(required(fields[1]));
  const inner = required(fields[2]).content;
  if (kind === RSA) return privateKeyOf('RSA PRIVATE KEY', inner);
  return kind === EC ? privateKeyOf('EC PRIVATE KEY', inner) : undefined;
}

export function samePublicKey(one: PublicKey, other: PublicKey): boolean {
  return one.kind === other.kind && sameBytes(one.bytes, other.bytes);
}

function pointIn(fields: readonly DerElement[]): PublicKey | undefined {
  required(fields[1]);
  const tagged = fields.find(({ tag }) => tag === 0xa1);
  const point = tagged && childrenOf(tagged).find(({ tag }) => tag === BIT_STRING);
  return point && { kind: 'ec', bytes: point.content.subarray(1) };
}

function kindOf(algorithm: DerElement): string {
  return oidOf(required(childrenOf(algorithm)[0]));
}

/** A positive integer whose first bit is set has a zero byte before it. */
function withoutSign(integer: Uint8Array): Uint8Array {
  return integer[0] === 0 ? integer.subarray(1) : integer;
}
