import { certificateFields } from './certificate-fields.ts';
import { childrenOf, oidOf, readDer, required, type DerElement } from '../../../src/contract/der.ts';
import { bytesOfBlock, pemBlocks } from '../../../src/contract/pem.ts';

/** What a certificate says of itself (RFC 5280); nothing in it is secret. */
export interface Certificate {
  readonly subject: string;
  readonly issuer: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Subject alternative names: DNS names, addresses, URIs, and whatever else there is. */
  readonly names: readonly string[];
}

const ALTERNATIVE_NAMES = '2.5.29.17';

/** The certificates of a PEM text, in order; what cannot be read is left out. */
export function certificatesOf(text: string): readonly Certificate[] {
  const blocks = [...pemBlocks(text)].filter(({ label }) => label === 'CERTIFICATE');
  return blocks.flatMap((block) => {
    try {
      const { subject, issuer, notBefore, notAfter, extensions } = certificateFields(bytesOfBlock(block));
      const whose = { subject: distinguishedName(subject), issuer: distinguishedName(issuer) };
      return [{ ...whose, notBefore, notAfter, names: namesIn(extensions) }];
    } catch {
      return []; // shown as plain text, like everything that is not recognized
    }
  });
}

function namesIn(extensions: DerElement | undefined): readonly string[] {
  if (extensions === undefined) return [];
  const extension = childrenOf(readDer(extensions.content)).find(
    (candidate) => oidOf(required(childrenOf(candidate)[0])) === ALTERNATIVE_NAMES,
  );
  const value = extension === undefined ? undefined : childrenOf(extension).at(-1);
  return value === undefined ? [] : alternativeNames(value);
}

const ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ['2.5.4.3', 'CN'],
  ['2.5.4.10', 'O'],
  ['2.5.4.11', 'OU'],
  ['2.5.4.6', 'C'],
  ['2.5.4.7', 'L'],
  ['2.5.4.8', 'ST'],
]);

/** The name of a subject or an issuer, in the order of the certificate. */
function distinguishedName(name: DerElement): string {
  const parts = childrenOf(name).flatMap((set) =>
    childrenOf(set).map((attribute) => {
      const [type, value] = childrenOf(attribute);
      const oid = oidOf(required(type));
      return `${ATTRIBUTES.get(oid) ?? oid}=${decode(required(value).content)}`;
    }),
  );
  return parts.join(', ');
}

/** Kinds of general names by their tag (RFC 5280, 4.2.1.6). */
const KINDS: ReadonlyMap<number, (element: DerElement) => string> = new Map([
  [0xa0, (element) => `other name of kind ${oidOf(required(childrenOf(element)[0]))}`],
  [0x81, ({ content }) => decode(content)],
  [0x82, ({ content }) => decode(content)],
  [0xa4, (element) => distinguishedName(required(childrenOf(element)[0]))],
  [0x86, ({ content }) => decode(content)],
  [0x87, ({ content }) => addressOf(content)],
  [0x88, (element) => `registered id ${oidOf(element)}`],
]);

/** The names of a subjectAltName extension; one of an unknown kind is named as such, not left out. */
function alternativeNames(value: DerElement): readonly string[] {
  return childrenOf(readDer(value.content)).map(
    (element) => KINDS.get(element.tag)?.(element) ?? 'name of an unknown kind',
  );
}

function addressOf(content: Uint8Array): string {
  if (content.length === 4) return content.join('.');
  return content.length === 16 ? ipv6Of(content) : 'address of an unknown kind';
}

/** As RFC 5952 has it, which is how addresses have it, too. */
function ipv6Of(content: Uint8Array): string {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const groups = Array.from({ length: 8 }, (_, index) => view.getUint16(index * 2).toString(16));
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

const decode = (content: Uint8Array): string => new TextDecoder().decode(content);
