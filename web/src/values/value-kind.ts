import { claimsOfJws, expiryOfClaims } from '../../../src/contract/jws.ts';
import { pemBlocks } from '../../../src/contract/pem.ts';
import { isObjectOrArray } from './json-layout.ts';
import { certificatesOf } from './certificate.ts';
import { registriesOf } from './registries.ts';

/** What a value is, without anything secret of it. */
export interface ValueKind {
  readonly text: string;
  /** When it expires, in milliseconds since 1970. */
  readonly expires?: number;
}

/** Longer values are not looked into: a page may have hundreds of them. */
const LONGEST = 100_000;

/** A guess from the form of a text; undefined where there is nothing to say. */
export function valueKind(key: string, value: string): ValueKind | undefined {
  if (value === '') return { text: 'Empty' };
  if (value.length > LONGEST) return undefined;
  return pemKind(value) ?? registryKind(key, value) ?? jwtKind(value) ?? otherKind(value);
}

function pemKind(value: string): ValueKind | undefined {
  // Within other text, such as JSON, it is not what the value is.
  if (!/^-----BEGIN /m.test(value)) return undefined;
  const [certificate, ...others] = certificatesOf(value);
  if (certificate !== undefined) {
    const subject = certificate.subject === '' ? (certificate.names[0] ?? '') : certificate.subject;
    return {
      text: `Certificate ${subject}${others.length === 0 ? '' : ` and ${others.length} more`}`.trim(),
      expires: certificate.notAfter.getTime(),
    };
  }
  const label = pemBlocks(value).next().value?.label;
  if (label === undefined) return undefined;
  if (label.endsWith('PRIVATE KEY')) return { text: 'Private key' };
  return { text: label.endsWith('PUBLIC KEY') ? 'Public key' : 'PEM' };
}

function registryKind(key: string, value: string): ValueKind | undefined {
  const registries = registriesOf(key, value);
  if (registries === undefined) return undefined;
  return { text: registries.length === 1 ? '1 registry' : `${registries.length} registries` };
}

function jwtKind(value: string): ValueKind | undefined {
  const claims = claimsOfJws(value.trim());
  if (claims === undefined) return undefined;
  const expires = expiryOfClaims(claims);
  return expires === undefined ? { text: 'JWT' } : { text: 'JWT', expires };
}

function otherKind(value: string): ValueKind | undefined {
  if (isObjectOrArray(value)) return { text: 'JSON' };
  if (/^[a-z][a-z0-9+.-]{0,30}:\/\/\S+\s*$/i.test(value)) return { text: 'URL' };
  return undefined;
}

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
