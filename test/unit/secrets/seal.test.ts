import { describe, expect, it } from 'vitest';
import { createSeal, SEAL_BYTES } from '../../../src/secrets/seal.ts';

const KEY = Buffer.alloc(32, 'k');
const seal = createSeal(KEY);
const BYTES = Buffer.from('a position');

describe('sealed bytes', () => {
  it('open in another replica with the same signing key', () => {
    const sealed = seal.seal(BYTES, ['a', 'b']);
    expect(createSeal(KEY).open(sealed, ['a', 'b'])).toEqual(BYTES);
  });

  it('are like no others, and show nothing but their number', () => {
    const [one, other] = [seal.seal(BYTES, []), seal.seal(BYTES, [])];
    expect(one).not.toEqual(other);
    expect(one.includes(BYTES)).toBe(false);
    expect(one.byteLength).toBe(BYTES.byteLength + SEAL_BYTES);
  });

  it.each([[['a']], [['a', 'c']], [['ab']], [['b', 'a']], [[]]])('do not open for %j', (bound) => {
    expect(seal.open(seal.seal(BYTES, ['a', 'b']), bound)).toBeUndefined();
  });

  it('do not open with another key', () => {
    expect(seal.open(createSeal(Buffer.alloc(32, 'o')).seal(BYTES, []), [])).toBeUndefined();
  });

  it('do not open after any change, nor any part of them', () => {
    const sealed = seal.seal(BYTES, []);
    for (let at = 0; at < sealed.byteLength; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(seal.open(changed, [])).toBeUndefined();
      expect(seal.open(sealed.subarray(0, at), [])).toBeUndefined();
      expect(seal.open(sealed.subarray(at + 1), [])).toBeUndefined();
    }
  });
});
