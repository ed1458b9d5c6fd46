import { createPrivateKey, X509Certificate } from 'node:crypto';
import { builtInName } from '../contract/secret-types.ts';
import {
  MAX_CHAIN,
  MAX_PEM_BYTES,
  tlsWarnings,
  type CertificateFacts,
  type TlsFacts,
  type TlsWarning,
} from '../contract/tls-warnings.ts';
import type { SecretData } from '../kube/secret.ts';

type Typed = { readonly type: string; readonly data: SecretData };

/** The warnings about a Secret's values; none for types other than TLS. */
export function warningsOf({ type, data }: Typed, now: Date): readonly TlsWarning[] {
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
        (issuer) => issuer !== undefined && last.checkIssued(issuer),
      ),
  };
}

/** One byte is one character, so that hostile bytes cannot make the text longer. */
function textOf(data: SecretData, key: string): string {
  const stored = data.get(key) ?? new Uint8Array(0);
  return Buffer.from(stored.buffer, stored.byteOffset, Math.min(stored.byteLength, MAX_PEM_BYTES)).toString(
    'latin1',
  );
}

interface Block {
  readonly label: string;
  readonly text: string;
}

/** The PEM blocks of a text (RFC 7468); what begins and does not end is not read. */
function* blocksOf(text: string): Generator<Block> {
  for (let start = text.indexOf(BEGIN); start >= 0;) {
    const labelStart = start + BEGIN.length;
    const labelEnd = text.indexOf(DASHES, labelStart);
    if (labelEnd < 0 || labelEnd - labelStart > LONGEST_LABEL) return;
    const label = text.slice(labelStart, labelEnd);
    const footer = `-----END ${label}${DASHES}`;
    const end = text.indexOf(footer, labelEnd);
    if (end < 0) return;
    yield { label, text: text.slice(start, end + footer.length) };
    start = text.indexOf(BEGIN, end);
  }
}

const BEGIN = '-----BEGIN ';
const DASHES = '-----';
const LONGEST_LABEL = 64;

/** The certificates at the beginning of a text; undefined is one that cannot be parsed. */
function certificatesOf(text: string): readonly (X509Certificate | undefined)[] {
  const found: (X509Certificate | undefined)[] = [];
  for (const { label, text: pem } of blocksOf(text)) {
    if (label !== 'CERTIFICATE' || found.length === MAX_CHAIN) break;
    found.push(attempt(() => new X509Certificate(pem)));
  }
  return found;
}

function certificateFacts(
  certificate: X509Certificate,
  next: X509Certificate | undefined,
): CertificateFacts | undefined {
  const { validFromDate, validToDate } = certificate;
  const [notBefore, notAfter] = [validFromDate.getTime(), validToDate.getTime()];
  if (Number.isNaN(notBefore) || Number.isNaN(notAfter)) return undefined;
  const isIssuedByNext = next && certificate.checkIssued(next);
  return { notBefore, notAfter, isSelfIssued: certificate.checkIssued(certificate), isIssuedByNext };
}

/** Servers take the first block that is a private key, whatever is before it. */
function keyOf(text: string, certificate: X509Certificate | undefined): TlsFacts['key'] {
  for (const { label, text: pem } of blocksOf(text)) {
    if (!label.endsWith('PRIVATE KEY')) continue;
    // Never given to the library, which would derive a key with as many rounds as the value says.
    if (label === 'ENCRYPTED PRIVATE KEY' || pem.includes('Proc-Type:')) return 'encrypted';
    const key = attempt(() => createPrivateKey(pem));
    if (key === undefined) return 'unreadable';
    if (certificate === undefined) return 'unknown';
    return attempt(() => certificate.checkPrivateKey(key)) === true ? 'matches' : 'differs';
  }
  return 'unreadable';
}

/** Any bytes may be stored: what the library cannot read is a fact, not an error, and its text may quote the value. */
function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
