/**
 * One element of a DER encoding (X.690): tag, content, and where it ends. The reader is our own: it decides which values
 * may reach a library, the pages run it, too, and it needs neither a schema nor a dependency.
 */
export interface DerElement {
  readonly tag: number;
  readonly content: Uint8Array;
  readonly end: number;
}

/** @throws {RangeError} when the bytes end early or a length is beyond what a certificate needs */
export function readDer(bytes: Uint8Array, offset = 0): DerElement {
  const tag = byteAt(bytes, offset);
  const first = byteAt(bytes, offset + 1);
  let start = offset + 2;
  let length = first;
  if (first >= 0x80) {
    const count = first & 0x7f;
    if (count === 0 || count > 3) throw new RangeError('length');
    length = 0;
    for (let index = 0; index < count; index++) length = length * 256 + byteAt(bytes, start + index);
    start += count;
  }
  const end = start + length;
  if (end > bytes.length) throw new RangeError('end');
  return { tag, content: bytes.subarray(start, end), end };
}

/** The elements of a constructed one, in order. */
export function childrenOf({ content }: Pick<DerElement, 'content'>): readonly DerElement[] {
  const children: DerElement[] = [];
  for (let offset = 0; offset < content.length;) {
    const child = readDer(content, offset);
    children.push(child);
    offset = child.end;
  }
  return children;
}

/**
 * The elements of the sequence that the bytes are.
 * @throws {RangeError} when they are something else
 */
export function sequenceOf(bytes: Uint8Array): readonly DerElement[] {
  const whole = readDer(bytes);
  if (whole.tag !== SEQUENCE) throw new RangeError('tag');
  return childrenOf(whole);
}

const SEQUENCE = 0x30;

/** An object identifier in dots. */
export function oidOf({ content }: Pick<DerElement, 'content'>): string {
  const arcs: number[] = [];
  let arc = 0;
  for (const byte of content) {
    arc = arc * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      arcs.push(arc);
      arc = 0;
    }
  }
  const first = arcs[0] ?? 0;
  const top = Math.min(2, Math.floor(first / 40));
  return [top, first - top * 40, ...arcs.slice(1)].join('.');
}

/** @throws {RangeError} when a part that every certificate has is missing */
export function required(element: DerElement | undefined): DerElement {
  if (element === undefined) throw new RangeError('missing');
  return element;
}

export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

function byteAt(bytes: Uint8Array, offset: number): number {
  const byte = bytes[offset];
  if (byte === undefined) throw new RangeError('end');
  return byte;
}
