import { expect, test } from 'vitest';
import { GENERATED, generate, type Generated } from '../src/values/generate.ts';

/** Every byte in turn. */
function counting() {
  let next = 0;
  return (bytes: Uint8Array<ArrayBuffer>) => bytes.map(() => next++ % 256);
}

test('every character of an alphabet is as likely as any other', () => {
  for (const [kind, size] of [
    ['letters', 62],
    ['symbols', 89],
  ] as const) {
    // All bytes that are not thrown away, twice.
    const length = Math.floor(256 / size) * size * 2;
    const counts = Object.values(
      Object.groupBy(generate({ kind, length }, counting()), (character) => character),
    );
    expect(counts.length).toBe(size);
    expect(new Set(counts.map((each) => each?.length)).size).toBe(1);
  }
});

test.each([
  ['letters', 32, /^[A-Za-z0-9]{32}$/],
  ['symbols', 40, /^[!-~]{40}$/],
  ['hex', 16, /^[0-9a-f]{32}$/],
  ['base64', 32, /^[A-Za-z0-9+/]{43}=$/],
  ['uuid', 8, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/],
] as const)('%s of length %i', (kind, length, form) => {
  for (let round = 0; round < 50; round++) expect(generate({ kind, length })).toMatch(form);
});

test('no two values are the same', () => {
  for (const kind of Object.keys(GENERATED) as Generated[]) {
    const values = Array.from({ length: 100 }, () => generate({ kind, length: 16 }));
    expect(new Set(values).size).toBe(100);
  }
});
