import { certificateFields } from './certificate-fields.ts';
import {
  sameBytes,
  type DerElement,
  childrenOf,
  oidOf,
  required,
  sequenceOf,
} from '../../../src/contract/der.ts';
import { bytesOfBlock, isEncryptedKey, pemBlocks, type PemBlock } from '../../../src/contract/pem.ts';
import { readableEncoding } from '../../../src/contract/private-key.ts';
import {
  MAX_CHAIN,
  MAX_PEM_BYTES,
  TLS_WARNINGS,
  tlsWarnings,
  type CertificateFacts,
  type TlsFacts,
} from '../../../src/contract/tls-warnings.ts';

/**
 * What the service will warn about once these values are saved. A browser has no reader of certificates and keys:
 * only the service can compare every kind of key.
 */
export function tlsTexts(values: ReadonlyMap<string, string>, now: number): readonly string[] {
  const chain = certificatesIn(values.get('tls.crt') ?? '');
  const last = chain.at(-1);
  const facts: TlsFacts = {
    chain: chain.map((certificate, index) => certificate && factsOf(certificate, chain[index + 1])),
    key: keyStateOf(values.get('tls.key') ?? '', chain[0]?.publicKey),
    hasIssuerInCa:
      last !== undefined &&
      certificatesIn(values.get('ca.crt') ?? '').some(
        (issuer) => issuer !== undefined && sameBytes(issuer.subject.content, last.issuer.content),
      ),
  };
  return tlsWarnings(facts, now).map((warning) => TLS_WARNINGS[warning]);
}

/** The certificates that a text begins with, such as a bundle of many, unread. */
export function certificateBlocks(text: string): readonly PemBlock[] {
  const blocks = [...pemBlocks(text)];
  const end = blocks.findIndex(({ label }) => label !== 'CERTIFICATE');
  return end < 0 ? blocks : blocks.slice(0, end);
}

function certificatesIn(text: string) {
  return certificateBlocks(text.slice(0, MAX_PEM_BYTES)).slice(0, MAX_CHAIN).map(certificateOf);
}

type Certificate = NonNullable<ReturnType<typeof certificateOf>>;

function certificateOf(block: PemBlock) {
  try {
    const fields = certificateFields(bytesOfBlock(block));
    return { ...fields, publicKey: publicKeyOf(fields.publicKey) };
  } catch {
    return undefined; // a fact, not an error: any text can be typed
  }
}

function factsOf(certificate: Certificate, next: Certificate | undefined): CertificateFacts {
  const { subject, issuer, notBefore, notAfter } = certificate;
  return {
    notBefore: notBefore.getTime(),
    notAfter: notAfter.getTime(),
    isSelfIssued: sameBytes(subject.content, issuer.content),
    isIssuedByNext: next && sameBytes(next.subject.content, issuer.content),
  };
}

export type KeyState = TlsFacts['key'];

/** Whether a private key is that of the first certificate of a text. */
export function keyState(key: string, certificates: string): KeyState {
  return keyStateOf(key, certificatesIn(certificates)[0]?.publicKey);
}

function keyStateOf(text: string, publicKey: PublicKey | undefined): KeyState {
  const block = [...pemBlocks(text.slice(0, MAX_PEM_BYTES))].find(({ label }) =>
    label.endsWith('PRIVATE KEY'),
  );
  if (block === undefined) return 'unreadable';
  if (isEncryptedKey(block)) return 'encrypted';
  try {
    const bytes = bytesOfBlock(block);
    if (readableEncoding(block.label, bytes) === undefined) return 'unreadable';
    const key = privateKeyOf(block.label, bytes);
    if (key === undefined || publicKey === undefined) return 'unknown';
    return samePublicKey(key, publicKey) ? 'matches' : 'differs';
  } catch {
    return 'unreadable';
  }
}

/** What identifies a key pair: the modulus of RSA, the point of an elliptic curve. */
interface PublicKey {
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
function publicKeyOf(info: DerElement): PublicKey | undefined {
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
function privateKeyOf(label: string, bytes: Uint8Array): PublicKey | undefined {
  const fields = sequenceOf(bytes);
  if (label === 'RSA PRIVATE KEY') return { kind: 'rsa', bytes: withoutSign(required(fields[1]).content) };
  if (label === 'EC PRIVATE KEY') return pointIn(fields);
  if (label !== 'PRIVATE KEY') return undefined;
  const kind = kindOf(required(fields[1]));
  const inner = required(fields[2]).content;
  if (kind === RSA) return privateKeyOf('RSA PRIVATE KEY', inner);
  return kind === EC ? privateKeyOf('EC PRIVATE KEY', inner) : undefined;
}

function samePublicKey(one: PublicKey, other: PublicKey): boolean {
  return one.kind === other.kind && sameBytes(one.bytes, other.bytes);
}

function pointIn(fields: readonly DerElement[]): PublicKey | undefined {
  required(fields[1]);
  const tagged = fields.find(({ tag }) => tag === 0xa1);
  const point = tagged && childrenOf(tagged).find(({ tag }) => tag === BIT_STRING);
  return point && { kind: 'ec', bytes: point.content.subarray(1) };
}

const kindOf = (algorithm: DerElement): string => oidOf(required(childrenOf(algorithm)[0]));

/** A positive integer whose first bit is set has a zero byte before it. */
const withoutSign = (integer: Uint8Array): Uint8Array => (integer[0] === 0 ? integer.subarray(1) : integer);
