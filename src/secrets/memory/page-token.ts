import { hash } from 'node:crypto';

/** What a `continue` token refers to. It holds nothing that anyone may not see, and grants nothing. */
export interface PageToken {
  /** The kept result, on the replica that made it. */
  readonly id: Buffer;
  /** The position of the first Secret of the page. */
  readonly offset: number;
  /** The state, for a replica that has the same. */
  readonly state: Buffer;
  /** The query, which has to stay the same. */
  readonly query: Buffer;
  /** The namespace, and what the access decisions depended on. */
  readonly access: Buffer;
}

/** The version of the format. */
const FORMAT = 1;
export const ID_BYTES = 16;
const DIGEST_BYTES = 8;
const LENGTH = 1 + 4 + ID_BYTES + 3 * DIGEST_BYTES;
const TEXT = /^[A-Za-z0-9_-]{60}$/;

/** A short hash of texts, to compare them without keeping them. */
export function digestOf(...texts: readonly string[]): Buffer {
  return hash('sha256', JSON.stringify(texts), 'buffer').subarray(0, DIGEST_BYTES);
}

export function encodeToken({ id, offset, state, query, access }: PageToken): string {
  const bytes = Buffer.alloc(LENGTH);
  bytes.writeUInt8(FORMAT, 0);
  bytes.writeUInt32BE(offset, 1);
  Buffer.concat([id, state, query, access]).copy(bytes, 5);
  return bytes.toString('base64url');
}

/** Undefined for anything that no replica has made. */
export function decodeToken(text: string): PageToken | undefined {
  if (!TEXT.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.byteLength !== LENGTH || bytes.readUInt8(0) !== FORMAT) return undefined;
  const begin = 5 + ID_BYTES;
  const digest = (index: number): Buffer =>
    bytes.subarray(begin + index * DIGEST_BYTES, begin + (index + 1) * DIGEST_BYTES);
  return {
    id: bytes.subarray(5, begin),
    offset: bytes.readUInt32BE(1),
    state: digest(0),
    query: digest(1),
    access: digest(2),
  };
}
