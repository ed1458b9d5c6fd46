import { hash } from 'node:crypto';
import { createSeal } from '../secrets/seal.ts';

/** What a `continue` token refers to. It grants nothing. Each part has always the same length. */
export interface PageToken {
  /** The number of Secrets before the page. */
  readonly offset: number;
  /** The view, on the replica that made it. */
  readonly view: string;
  /** What the person sees of the view for the query, for a view that has the same. */
  readonly result: string;
  /** The query, which has to stay the same. */
  readonly query: string;
  /** The person, the namespace, and what the access decisions depended on. */
  readonly access: string;
}

/** Makes and reads tokens. They are sealed: no two are alike. */
export type PageTokens = ReturnType<typeof createPageTokens>;

const OFFSET_DIGITS = 10;
const DIGEST_BYTES = 16;
/** The version of the format, so that another one is distinguished from a wrong key. */
const FORMAT = 4;
/** Another kind of token is bound to something else, see {@link createSeal}. */
const BOUND = ['list'];
const TEXT = /^[A-Za-z0-9_-]{160}$/;

/** A short hash of texts, to compare them without keeping them. */
export function digestOf(...texts: readonly string[]): string {
  return hash('sha256', JSON.stringify(texts), 'buffer').subarray(0, DIGEST_BYTES).toString('base64url');
}

/** @param key see {@link createSeal} */
export function createPageTokens(key: Uint8Array) {
  const sealer = createSeal(key);
  return {
    encode: ({ offset, view, result, query, access }: PageToken): string => {
      const parts = [String(offset).padStart(OFFSET_DIGITS, '0'), view, result, query, access];
      const sealed = sealer.seal(Buffer.from(parts.join(' ')), BOUND);
      return Buffer.concat([Buffer.of(FORMAT), sealed]).toString('base64url');
    },
    /** Undefined for what is no token; `foreign` for one of another key. */
    decode: (text: string): PageToken | 'foreign' | undefined => {
      const bytes = Buffer.from(TEXT.test(text) ? text : '', 'base64url');
      if (bytes[0] !== FORMAT) return undefined;
      const opened = sealer.open(bytes.subarray(1), BOUND);
      if (opened === undefined) return 'foreign';
      const [offset, view = '', result = '', query = '', access = ''] = opened.toString().split(' ');
      return { offset: Number(offset), view, result, query, access };
    },
  };
}
