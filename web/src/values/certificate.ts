import { bytesOfBase64 } from './bytes.ts';
import { alternativeNames, decode, distinguishedName } from './certificate-names.ts';
import { childrenOf, oidOf, readDer, required, type DerElement } from './der.ts';

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
  const [toBeSigned] = childrenOf(readDer(bytes));
  const all = childrenOf(required(toBeSigned));
  // The version, explicitly tagged, may be missing.
  const fields = all[0]?.tag === 0xa0 ? all.slice(1) : all;
  const [notBefore, notAfter] = childrenOf(required(fields[3]));
  return {
    issuer: distinguishedName(required(fields[2])),
    notBefore: timeOf(required(notBefore)),
    notAfter: timeOf(required(notAfter)),
    subject: distinguishedName(required(fields[4])),
    names: namesIn(fields.find(({ tag }) => tag === 0xa3)),
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
