import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';

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

/** Makes and reads tokens. They are encrypted, and no two are alike, so that nothing can be learned by comparing them. */
export interface PageTokens {
  readonly encode: (token: PageToken) => string;
  /** Undefined for what is no token; `foreign` for one of another key. */
  readonly decode: (text: string) => PageToken | 'foreign' | undefined;
}

export const KEY_BYTES = 32;
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VIEW_BYTES = 8;
const DIGEST_BYTES = 16;
const LENGTHS = [4, VIEW_BYTES, DIGEST_BYTES, DIGEST_BYTES, DIGEST_BYTES];
/** The version of the format, so that another one is distinguished from a wrong key. */
const FORMAT = 2;
const TEXT = /^[A-Za-z0-9_-]+$/;
const TEXT_LENGTH = Math.ceil(
  ((1 + NONCE_BYTES + LENGTHS.reduce((sum, one) => sum + one, 0) + TAG_BYTES) * 4) / 3,
);

/** A short hash of texts, to compare them without keeping them. */
export function digestOf(...texts: readonly string[]): Buffer {
  return hash('sha256', JSON.stringify(texts), 'buffer').subarray(0, DIGEST_BYTES);
}

/** @param key of {@link KEY_BYTES}, the same on every replica */
export function createPageTokens(key: Uint8Array): PageTokens {
  return {
    encode({ offset, view, result, query, access }) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce);
      const place = Buffer.alloc(4);
      place.writeUInt32BE(offset);
      const sealed = cipher.update(Buffer.concat([place, view, result, query, access]));
      cipher.final();
      return Buffer.concat([Buffer.of(FORMAT), nonce, sealed, cipher.getAuthTag()]).toString('base64url');
    },
    decode(text) {
      if (text.length !== TEXT_LENGTH || !TEXT.test(text)) return undefined;
      const bytes = Buffer.from(text, 'base64url');
      if (bytes.readUInt8(0) !== FORMAT) return undefined;
      const opened = open(key, bytes.subarray(1));
      return opened === undefined ? 'foreign' : partsOf(opened);
    },
  };
}

function open(key: Uint8Array, bytes: Buffer): Buffer | undefined {
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const opened = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
  try {
    decipher.final();
    return opened;
  } catch {
    return undefined;
  }
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
