import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dataBytes, sameData } from '../../../../src/history/snapshot/snapshot.ts';

const data = (entries: Record<string, number[]>) =>
  new Map(Object.entries(entries).map(([key, bytes]) => [key, Uint8Array.from(bytes)]));

describe('values are the same', () => {
  it('key by key and byte by byte, in any order', () => {
    const one = data({ a: [1, 2], b: [] });
    const other = new Map([...data({ a: [1, 2], b: [] })].reverse());
    expect(sameData(one, other)).toBe(true);
    expect(sameData(new Map(), new Map())).toBe(true);
  });

  it.each([
    ['another byte', { a: [1, 3], b: [] }],
    ['a byte more', { a: [1, 2, 0], b: [] }],
    ['a byte less', { a: [1], b: [] }],
    ['a key more', { a: [1, 2], b: [], c: [] }],
    ['a key less', { a: [1, 2] }],
    ['another key', { a: [1, 2], c: [] }],
  ])('but not with %s', (_what, other: Record<string, number[]>) => {
    expect(sameData(data({ a: [1, 2], b: [] }), data(other))).toBe(false);
    expect(sameData(data(other), data({ a: [1, 2], b: [] }))).toBe(false);
  });

  it('under hazardous keys, too', () => {
    const one = new Map([['__proto__', Uint8Array.of(1)]]);
    expect(sameData(one, new Map([['__proto__', Uint8Array.of(1)]]))).toBe(true);
    expect(sameData(one, new Map([['constructor', Uint8Array.of(1)]]))).toBe(false);
  });
});

describe('the size of values', () => {
  it('counts bytes and not keys', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 10 }), (values) => {
        const map = new Map(values.map((value, index) => [`a-rather-long-key-${index}`, value]));
        expect(dataBytes(map)).toBe(values.reduce((sum, value) => sum + value.length, 0));
      }),
    );
  });
});
