import { childrenOf, oidOf, readDer, required, type DerElement } from '../../../src/contract/der.ts';

const ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ['2.5.4.3', 'CN'],
  ['2.5.4.10', 'O'],
  ['2.5.4.11', 'OU'],
  ['2.5.4.6', 'C'],
  ['2.5.4.7', 'L'],
  ['2.5.4.8', 'ST'],
]);

/** The name of a subject or an issuer, in the order of the certificate. */
export function distinguishedName(name: DerElement): string {
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
export function alternativeNames(value: DerElement): readonly string[] {
  return childrenOf(readDer(value.content)).map(
    (element) => KINDS.get(element.tag)?.(element) ?? 'name of an unknown kind',
  );
}

function addressOf(content: Uint8Array): string {
  if (content.length === 4) return content.join('.');
  return content.length === 16 ? ipv6Of(content) : 'address of an unknown kind';
}

/** As RFC 5952 has it: the first of the longest runs of zero groups becomes `::`, if it has two at least. */
function ipv6Of(content: Uint8Array): string {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const groups = Array.from({ length: 8 }, (_, index) => view.getUint16(index * 2).toString(16));
  const zeros = groups.map((_, index) => leadingZeros(groups.slice(index)));
  const longest = Math.max(...zeros);
  if (longest < 2) return groups.join(':');
  const begin = zeros.indexOf(longest);
  return [groups.slice(0, begin), groups.slice(begin + longest)].map((part) => part.join(':')).join('::');
}

function leadingZeros(groups: readonly string[]): number {
  const end = groups.findIndex((group) => group !== '0');
  return end < 0 ? groups.length : end;
}

function decode(content: Uint8Array): string {
  return new TextDecoder().decode(content);
}
