import { BINARY_KIND_WORDS } from '../words/values.ts';

const ascii = (text: string) => Array.from(text, (character) => character.charCodeAt(0));

/** First bytes by kind; more specific ones first. */
const SIGNATURES: readonly (readonly [kind: string, start: readonly number[]])[] = [
  [BINARY_KIND_WORDS.javaKeystoreJks, [0xfe, 0xed, 0xfe, 0xed]],
  [BINARY_KIND_WORDS.javaKeystoreJceks, [0xce, 0xce, 0xce, 0xce]],
  ['ZIP archive', ascii('PK\x03\x04')],
  [BINARY_KIND_WORDS.gzipData, [0x1f, 0x8b]],
  ['PNG image', [0x89, ...ascii('PNG')]],
  ['JPEG image', [0xff, 0xd8, 0xff]],
  ['PDF document', ascii('%PDF-')],
  ['ELF program', [0x7f, ...ascii('ELF')]],
  [BINARY_KIND_WORDS.kerberosKeytab, [0x05, 0x02]],
  [BINARY_KIND_WORDS.sqliteDatabase, ascii('SQLite format 3')],
  [BINARY_KIND_WORDS.textUtf16, [0xff, 0xfe]],
  [BINARY_KIND_WORDS.textUtf16, [0xfe, 0xff]],
  [BINARY_KIND_WORDS.der, [0x30, 0x82]],
];

/** A guess from the first bytes, in words. */
export function binaryKind(bytes: Uint8Array): string {
  const match = SIGNATURES.find(([, start]) => start.every((byte, index) => bytes[index] === byte));
  return match?.[0] ?? BINARY_KIND_WORDS.unknown;
}
