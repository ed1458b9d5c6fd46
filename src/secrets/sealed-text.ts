import { createHmac, timingSafeEqual } from 'node:crypto';

/** Texts that a client hands back unchanged, such as the position of the next page. They are not encrypted. */
export interface TextSeal {
  /** @param bound what the text is for: with anything else it does not open */
  seal(text: string, bound: readonly string[]): string;
  /** Undefined for anything that {@link seal} has not made for the same. */
  open(sealed: string, bound: readonly string[]): string | undefined;
}

const MAC_BYTES = 16;

/** @param key of the signing key, the same in all replicas */
export function createTextSeal(key: Uint8Array): TextSeal {
  const macOf = (text: string, bound: readonly string[]): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify([text, ...bound]))
      .digest()
      .subarray(0, MAC_BYTES);
  return {
    seal: (text, bound) => Buffer.concat([macOf(text, bound), Buffer.from(text)]).toString('base64url'),
    open: (sealed, bound) => {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.byteLength < MAC_BYTES) return undefined;
      const text = bytes.toString('utf8', MAC_BYTES);
      return timingSafeEqual(macOf(text, bound), bytes.subarray(0, MAC_BYTES)) ? text : undefined;
    },
  };
}
