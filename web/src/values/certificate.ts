import { bytesOfBase64 } from './bytes.ts';
import { alternativeNames, decode, distinguishedName } from './certificate-names.ts';
import { childrenOf, oidOf, readDer, required, sequenceOf, type DerElement } from './der.ts';

/** What a certificate says of itself (RFC 5280); nothing in it is secret. */
export interface Certificate {
  readonly subject: string;
  readonly issuer: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Subject alternative names: DNS names, addresses, URIs, and whatever else there is. */
  readonly names: readonly string[];
}

const PEM = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g;
const ALTERNATIVE_NAMES = '2.5.29.17';

/** The certificates of a PEM text, in order; what cannot be read is left out. */
export function certificatesOf(text: string): readonly Certificate[] {
  return [...text.matchAll(PEM)].flatMap(([, base64 = '']) => {
    try {
      return [readCertificate(bytesOfBase64(base64.replaceAll(/\s/g, '')))];
    } catch {
      return []; // shown as plain text, like everything that is not recognized
    }
  });
}

function readCertificate(bytes: Uint8Array): Certificate {
  const { issuer, subject, notBefore, notAfter, extensions } = certificateFields(bytes);
  return {
    issuer: distinguishedName(issuer),
    notBefore,
    notAfter,
    subject: distinguishedName(subject),
    names: namesIn(extensions),
  };
}

/**
 * The fields of a certificate in DER (RFC 5280, section 4.1).
 * @throws {RangeError} when one is missing or malformed
 */
export function certificateFields(bytes: Uint8Array) {
  const [toBeSigned] = sequenceOf(bytes);
  const all = childrenOf(required(toBeSigned));
  // The version, explicitly tagged, may be missing.
  const fields = all[0]?.tag === 0xa0 ? all.slice(1) : all;
  const [notBefore, notAfter] = childrenOf(required(fields[3]));
  return {
    issuer: required(fields[2]),
    notBefore: timeOf(required(notBefore)),
    notAfter: timeOf(required(notAfter)),
    subject: required(fields[4]),
    publicKey: required(fields[5]),
    extensions: fields.find(({ tag }) => tag === 0xa3),
  };
}

/** UTCTime has two digits for the year, GeneralizedTime four; both end in Z (RFC 5280, 4.1.2.5). */
function timeOf({ tag, content }: DerElement): Date {
  const digits = decode(content);
  const year = tag === 0x17 ? `${Number(digits.slice(0, 2)) < 50 ? '20' : '19'}${digits}` : digits;
  const [, y = '', m = '', d = '', h = '', min = '', s = ''] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(year) ?? [];
  const time = new Date(`${y}-${m}-${d}T${h}:${min}:${s}Z`);
  if (Number.isNaN(time.getTime())) throw new RangeError('time');
  return time;
}

function namesIn(extensions: DerElement | undefined): readonly string[] {
  if (extensions === undefined) return [];
  const extension = childrenOf(readDer(extensions.content)).find(
    (candidate) => oidOf(required(childrenOf(candidate)[0])) === ALTERNATIVE_NAMES,
  );
  const value = extension === undefined ? undefined : childrenOf(extension).at(-1);
  return value === undefined ? [] : alternativeNames(value);
}
