import { certificateFields } from '../../../src/contract/certificate-fields.ts';
import { sameBytes, type DerElement } from '../../../src/contract/der.ts';
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
import { privateKeyOf, publicKeyOf, samePublicKey, type PublicKey } from './tls-keys.ts';

/**
 * What the service will warn about once these values are saved. A browser has no reader of certificates and keys:
 * only the service can compare every kind of key.
 */
export function tlsTexts(values: ReadonlyMap<string, string>, now: number): readonly string[] {
  const chain = certificatesIn(values.get('tls.crt') ?? '');
  const last = chain.at(-1);
  const facts: TlsFacts = {
    chain: chain.map((certificate, index) => certificate && factsOf(certificate, chain[index + 1])),
    key: keyState(values.get('tls.key') ?? '', chain[0]?.publicKey),
    hasIssuerInCa:
      last !== undefined &&
      certificatesIn(values.get('ca.crt') ?? '').some(
        (issuer) => issuer !== undefined && sameBytes(issuer.subject.content, last.issuer.content),
      ),
  };
  return tlsWarnings(facts, now).map((warning) => TLS_WARNINGS[warning]);
}

interface Certificate {
  readonly subject: DerElement;
  readonly issuer: DerElement;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly publicKey: PublicKey | undefined;
}

function certificatesIn(text: string): readonly (Certificate | undefined)[] {
  const blocks = [...pemBlocks(text.slice(0, MAX_PEM_BYTES))];
  const end = blocks.findIndex(({ label }) => label !== 'CERTIFICATE');
  return blocks.slice(0, end < 0 ? MAX_CHAIN : Math.min(end, MAX_CHAIN)).map(certificateOf);
}

function certificateOf(block: PemBlock): Certificate | undefined {
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

function keyState(text: string, publicKey: PublicKey | undefined): TlsFacts['key'] {
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
