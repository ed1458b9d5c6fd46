import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPageTokens, digestOf } from '../../../src/lists/page-token.ts';
import { KEY_BYTES } from '../../../src/secrets/seal.ts';

const KEY = randomBytes(KEY_BYTES);
const { encode, decode } = createPageTokens(KEY);
const TOKEN = {
  offset: 4_294_967_295,
  view: randomBytes(8).toString('base64url'),
  result: digestOf('result'),
  query: digestOf('query'),
  access: digestOf('access'),
};

describe('the token of a page', () => {
  it('comes back as it was made, on every replica with the key', () => {
    expect(createPageTokens(KEY).decode(encode(TOKEN))).toEqual(TOKEN);
  });

  it('is like no other token, so that two of them show nothing', () => {
    const bytes = [1, 2].map(() => Buffer.from(encode(TOKEN), 'base64url').subarray(1));
    const [one = Buffer.of(), other = Buffer.of()] = bytes;
    const same = one.filter((byte, index) => byte === other[index]).length;
    expect(same).toBeLessThan(12);
    for (const part of [TOKEN.view, TOKEN.result, TOKEN.query, TOKEN.access])
      expect(one.includes(part)).toBe(false);
  });

  it('of another key, or with any changed bit, is foreign', () => {
    expect(createPageTokens(randomBytes(KEY_BYTES)).decode(encode(TOKEN))).toBe('foreign');
    const text = encode(TOKEN);
    const bytes = Buffer.from(text, 'base64url');
    for (let index = 1; index < bytes.byteLength; index++) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(decode(changed.toString('base64url'))).toBe('foreign');
    }
  });

  it('is nothing of another form', () => {
    const text = encode(TOKEN);
    for (const other of ['', text.slice(1), `${text}A`, ` ${text.slice(1)}`, `${text.slice(1)}\n`])
      expect(decode(other), other).toBeUndefined();
    const format = Buffer.from(text, 'base64url');
    format[0] = 1;
    expect(decode(format.toString('base64url'))).toBeUndefined();
  });

  it('is never an error, whatever is sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 160 }), (text) => {
        decode(text);
      }),
    );
  });

  it('has digests that differ for different texts, however these are divided', () => {
    expect(digestOf('a', 'b')).not.toEqual(digestOf('ab'));
    expect(digestOf('a', 'b')).not.toEqual(digestOf('b', 'a'));
    expect(digestOf('a,b')).not.toEqual(digestOf('a', 'b'));
  });
});
