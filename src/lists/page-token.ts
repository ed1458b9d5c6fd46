import { hash } from 'node:crypto';
import { createSeal, SEAL_BYTES } from '../secrets/seal.ts';

/** What a `continue` token refers to. It grants nothing. */
export interface PageToken {
  /** The number of Secrets before the page. */
  readonly offset: number;
  /** The view, on the replica that made it. */
  readonly view: Buffer;
  /** What the person sees of the view for the query, for a view that has the same. */
  readonly result: Buffer;
  /** The query, which has to stay the same. */
  readonly query: Buffer;
  /** The person, the namespace, and what the access decisions depended on. */
  readonly access: Buffer;
}

/** Makes and reads tokens. They are sealed: no two are alike. */
export type PageTokens = ReturnType<typeof createPageTokens>;

const VIEW_BYTES = 8;
const DIGEST_BYTES = 16;
const LENGTHS = [4, VIEW_BYTES, DIGEST_BYTES, DIGEST_BYTES, DIGEST_BYTES];
/** The version of the format, so that another one is distinguished from a wrong key. */
const FORMAT = 3;
/** Another kind of token is bound to something else, see {@link createSeal}. */
const BOUND = ['list'];
const TEXT = /^[A-Za-z0-9_-]+$/;
const TEXT_LENGTH = Math.ceil(((1 + SEAL_BYTES + LENGTHS.reduce((sum, one) => sum + one, 0)) * 4) / 3);

/** A short hash of texts, to compare them without keeping them. */
export function digestOf(...texts: readonly string[]): Buffer {
  return hash('sha256', JSON.stringify(texts), 'buffer').subarray(0, DIGEST_BYTES);
}

/** @param key see {@link createSeal} */
export function createPageTokens(key: Uint8Array) {
  const sealer = createSeal(key);
  return {
    encode: ({ offset, view, result, query, access }: PageToken): string => {
      const place = Buffer.alloc(4);
      place.writeUInt32BE(offset);
      const sealed = sealer.seal(Buffer.concat([place, view, result, query, access]), BOUND);
      return Buffer.concat([Buffer.of(FORMAT), sealed]).toString('base64url');
    },
    /** Undefined for what is no token; `foreign` for one of another key. */
    decode: (text: string): PageToken | 'foreign' | undefined => {
      if (text.length !== TEXT_LENGTH || !TEXT.test(text)) return undefined;
      const bytes = Buffer.from(text, 'base64url');
      if (bytes.readUInt8(0) !== FORMAT) return undefined;
      const opened = sealer.open(bytes.subarray(1), BOUND);
      return opened === undefined ? 'foreign' : partsOf(opened);
    },
  };
}

function partsOf(bytes: Buffer): PageToken {
  let begin = 4;
  const next = (length: number): Buffer => bytes.subarray(begin, (begin += length));
  return {
    offset: bytes.readUInt32BE(0),
    view: next(VIEW_BYTES),
    result: next(DIGEST_BYTES),
    query: next(DIGEST_BYTES),
    access: next(DIGEST_BYTES),
  };
}
