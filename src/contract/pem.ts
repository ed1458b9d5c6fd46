import { bytesOfBase64 } from './text.ts';

export interface PemBlock {
  readonly label: string;
  readonly text: string;
}

const BEGIN = '-----BEGIN ';
const DASHES = '-----';
const LONGEST_LABEL = 64;

/** The PEM blocks of a text (RFC 7468). What begins and does not end makes the rest unreadable. */
export function* pemBlocks(text: string): Generator<PemBlock, undefined> {
  for (let start = text.indexOf(BEGIN); start >= 0;) {
    const labelStart = start + BEGIN.length;
    const labelEnd = text.indexOf(DASHES, labelStart);
    if (labelEnd < 0 || labelEnd - labelStart > LONGEST_LABEL) return undefined;
    const label = text.slice(labelStart, labelEnd);
    const footer = `-----END ${label}${DASHES}`;
    const end = text.indexOf(footer, labelEnd);
    if (end < 0) return undefined;
    yield { label, text: text.slice(start, end + footer.length) };
    start = text.indexOf(BEGIN, end);
  }
  return undefined;
}

/** Whether a private key needs a passphrase (RFC 5958, section 3; RFC 1421, section 4.6.1.1). */
export function isEncryptedKey({ label, text }: PemBlock): boolean {
  return label === 'ENCRYPTED PRIVATE KEY' || text.includes('Proc-Type:');
}

/**
 * The bytes of a block.
 * @throws {Error} when it has other characters than those of base64 and white space
 */
export function bytesOfBlock({ label, text }: PemBlock): Uint8Array {
  return bytesOfBase64(text.slice(BEGIN.length + label.length + DASHES.length, text.lastIndexOf('-----END')));
}
