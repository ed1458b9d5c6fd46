import { describe, expect, it } from 'vitest';
import { createTextSeal } from '../../../src/secrets/sealed-text.ts';

const seal = createTextSeal(Buffer.alloc(32, 'k'));

describe('a sealed text', () => {
  it('opens in another replica with the same signing key', () => {
    const sealed = seal.seal('a text', ['a', 'b']);
    expect(createTextSeal(Buffer.alloc(32, 'k')).open(sealed, ['a', 'b'])).toBe('a text');
  });

  it.each([[['a']], [['a', 'c']], [['ab']], [['b', 'a']], [[]]])('does not open for %j', (bound) => {
    expect(seal.open(seal.seal('a text', ['a', 'b']), bound)).toBeUndefined();
  });

  it('does not open with another key', () => {
    const sealed = createTextSeal(Buffer.alloc(32, 'o')).seal('a text', []);
    expect(seal.open(sealed, [])).toBeUndefined();
  });

  it('does not open after any change', () => {
    const sealed = Buffer.from(seal.seal('a text', []), 'base64url');
    for (let at = 0; at < sealed.byteLength; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(seal.open(changed.toString('base64url'), [])).toBeUndefined();
    }
    expect(seal.open('', [])).toBeUndefined();
  });
});
