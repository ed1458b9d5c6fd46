import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/**
 * Bytes that a client hands back unchanged, such as the position of the next page. They are encrypted, each time
 * differently, so that nothing can be learned by comparing them; only their number shows.
 */
export type Seal = ReturnType<typeof createSeal>;

export const KEY_BYTES = 32;
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** What sealing adds. */
export const SEAL_BYTES = NONCE_BYTES + TAG_BYTES;

/** @param key of {@link KEY_BYTES}, the same in all replicas */
export function createSeal(key: Uint8Array) {
  return {
    /** @param bound what the bytes are for: with anything else they do not open */
    seal(bytes: Uint8Array, bound: readonly string[]): Buffer {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(bytesOf(bound));
      const sealed = Buffer.concat([nonce, cipher.update(bytes), cipher.final()]);
      return Buffer.concat([sealed, cipher.getAuthTag()]);
    },
    /** Undefined for anything that `seal` has not made for the same. */
    open(sealed: Uint8Array, bound: readonly string[]): Buffer | undefined {
      if (sealed.byteLength < SEAL_BYTES) return undefined;
      const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES));
      decipher.setAAD(bytesOf(bound)).setAuthTag(sealed.subarray(-TAG_BYTES));
      const opened = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
      try {
        return Buffer.concat([opened, decipher.final()]);
      } catch {
        return undefined;
      }
    },
  };
}

const bytesOf = (bound: readonly string[]): Buffer => Buffer.from(JSON.stringify(bound));
