import { bytesOfBase64 } from './bytes.ts';
import { childrenOf, oidOf, readDer, type DerElement } from './der.ts';

/** What a certificate says of itself (RFC 5280); nothing in it is secret. */
export interface Certificate {
  readonly subject: string;
  readonly issuer: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Subject alternative names: DNS names, IPv4 addresses and email addresses. */
  readonly names: readonly string[];
}

const PEM = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g;
const ALTERNATIVE_NAMES = '2.5.29.17';
const ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ['2.5.4.3', 'CN'],
  ['2.5.4.10', 'O'],
  ['2.5.4.11', 'OU'],
  ['2.5.4.6', 'C'],
  ['2.5.4.7', 'L'],
  ['2.5.4.8', 'ST'],
]);

/** The certificates of a PEM text, in order; what cannot be read is left out. */
export function certificatesOf(text: string): readonly Certificate[] {
  return [...text.matchAll(PEM)].flatMap(([, base64 = '']) => {
    try {
      return [readCertificate(bytesOfBase64(base64.replaceAll(/\s/g, '')))];
    } catch {
      return []; // shown as plain text, like everything that is not recognised
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
    issuer: nameOf(required(fields[2])),
    notBefore: timeOf(required(notBefore)),
    notAfter: timeOf(required(notAfter)),
    subject: nameOf(required(fields[4])),
    names: alternativeNames(fields.find(({ tag }) => tag === 0xa3)),
  };
}

function required(element: DerElement | undefined): DerElement {
  if (element === undefined) throw new RangeError('missing');
  return element;
}

function nameOf(name: DerElement): string {
  const parts = childrenOf(name).flatMap((set) =>
    childrenOf(set).map((attribute) => {
      const [type, value] = childrenOf(attribute);
      const oid = oidOf(required(type));
      return `${ATTRIBUTES.get(oid) ?? oid}=${decode(required(value).content)}`;
    }),
  );
  return parts.join(', ');
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

function alternativeNames(extensions: DerElement | undefined): readonly string[] {
  if (extensions === undefined) return [];
  const extension = childrenOf(readDer(extensions.content)).find(
    (candidate) => oidOf(required(childrenOf(candidate)[0])) === ALTERNATIVE_NAMES,
  );
  const value = extension === undefined ? undefined : childrenOf(extension).at(-1);
  if (value === undefined) return [];
  return childrenOf(readDer(value.content)).flatMap(({ tag, content }) => {
    if (tag === 0x81 || tag === 0x82) return [decode(content)];
    return tag === 0x87 && content.length === 4 ? [content.join('.')] : [];
  });
}

function decode(content: Uint8Array): string {
  return new TextDecoder().decode(content);
}
