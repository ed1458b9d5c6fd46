const ascii = (text: string) => Array.from(text, (character) => character.charCodeAt(0));

/** First bytes by kind; more specific ones first. */
const SIGNATURES: readonly (readonly [kind: string, start: readonly number[]])[] = [
  ['Java keystore (JKS)', [0xfe, 0xed, 0xfe, 0xed]],
  ['Java keystore (JCEKS)', [0xce, 0xce, 0xce, 0xce]],
  ['ZIP archive', ascii('PK\x03\x04')],
  ['gzip data', [0x1f, 0x8b]],
  ['PNG image', [0x89, ...ascii('PNG')]],
  ['JPEG image', [0xff, 0xd8, 0xff]],
  ['PDF document', ascii('%PDF-')],
  ['ELF program', [0x7f, ...ascii('ELF')]],
  ['Kerberos keytab', [0x05, 0x02]],
  ['SQLite database', ascii('SQLite format 3')],
  ['text in UTF-16', [0xff, 0xfe]],
  ['text in UTF-16', [0xfe, 0xff]],
  ['DER data (certificate, key or PKCS #12 keystore)', [0x30, 0x82]],
];

/** A guess from the first bytes, in words. */
export function binaryKind(bytes: Uint8Array): string {
  const match = SIGNATURES.find(([, start]) => start.every((byte, index) => bytes[index] === byte));
  return match?.[0] ?? 'unknown binary data';
}
