import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createStructureScanner,
  MAX_JSON_DEPTH,
  MAX_ESCAPES,
  MAX_STRUCTURAL_CHARACTERS,
} from '../../../src/server/json-structure.ts';

/** Whether the scanner lets a text pass that arrives in pieces of so many bytes. */
function passes(text: string, pieceBytes = 65_536): boolean {
  const bytes = Buffer.from(text);
  const scanner = createStructureScanner();
  for (let at = 0; at < bytes.byteLength; at += pieceBytes) {
    if (!scanner.isWithinLimits(bytes.subarray(at, at + pieceBytes))) return false;
  }
  return true;
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('the structure of a JSON text', () => {
  it.each([
    ['arrays', '[', ']'],
    ['objects', '{"a":', '}'],
    ['both', '[{"a":', '}]'],
  ])('has at most 64 levels of %s', (_what, open, close) => {
    const levels = 64 / open.replaceAll(/[^[{]/g, '').length;
    const text = (count: number) => `${open.repeat(count)}1${close.repeat(count)}`;
    expect(passes(text(levels))).toBe(true);
    expect(passes(text(levels + 1))).toBe(false);
  });

  it('has its levels counted again in each branch', () => {
    expect(passes(`[${Array<string>(1_000).fill(nested(63)).join(',')}]`)).toBe(true);
  });

  it.each([
    ['commas', (count: number) => `[${','.repeat(count - 2)}]`],
    ['empty arrays', (count: number) => `[${'[]'.repeat(count / 2 - 1)}]`],
    ['empty objects', (count: number) => '{}'.repeat(count / 2)],
    ['colons', (count: number) => ':'.repeat(count)],
  ])('has at most 200,000 structural characters: %s', (_what, text) => {
    expect(passes(text(MAX_STRUCTURAL_CHARACTERS))).toBe(true);
    expect(passes(`${text(MAX_STRUCTURAL_CHARACTERS)},`)).toBe(false);
  });

  it.each([
    ['in one string', (count: number) => `"${'\\"'.repeat(count)}"`],
    ['in several', (count: number) => `["${'\\n'.repeat(count - 1)}","\\\\"]`],
  ])('has at most 3,000,000 escapes: %s', (_what, text) => {
    expect(passes(text(MAX_ESCAPES))).toBe(true);
    expect(passes(text(MAX_ESCAPES + 1))).toBe(false);
  });

  it('is not what stands in strings, also after escapes', () => {
    const brackets = '['.repeat(MAX_STRUCTURAL_CHARACTERS + 1);
    for (const start of ['', '\\"', '\\\\\\"', '\\u0022', '漢'])
      expect(passes(`["${start}${brackets}"]`), start).toBe(true);
    for (const start of ['\\\\"', '"']) expect(passes(`["${start}${brackets}"]`), start).toBe(false);
  });

  it.each([1_022, 1_023, 1_024, 1_025, 2_047, 2_048, 2_049])(
    'is distinguished from what stands in a string of %i characters',
    (length) => {
      const brackets = '['.repeat(MAX_JSON_DEPTH);
      const run = 'x'.repeat(length);
      for (const inside of ['', '\\"', '\\\\\\"', run, `\\"${run}`]) {
        expect(passes(`["${run}${inside}${brackets}"]`), inside).toBe(true);
        expect(passes(`["${run}${inside}", ${brackets}]`), inside).toBe(false);
        expect(passes(`["${run}${inside}\\\\",${brackets}"]`), inside).toBe(false);
      }
    },
  );

  it('cannot be hidden behind what closes nothing', () => {
    expect(passes(`${']'.repeat(100)}${nested(MAX_JSON_DEPTH + 1)}`)).toBe(false);
  });

  it('is found the same, whatever the pieces are cut through', () => {
    const tokens = ['[', ']', '{', '}', ':', ',', '"', '\\', '\\"', '漢', ' ', '[[[[[[[[[['];
    const piece = fc.constantFrom(...tokens, 'x'.repeat(1_023), 'x'.repeat(1_500));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.integer({ min: 1, max: 5 }), (parts, pieceBytes) => {
        const text = parts.join('');
        expect(passes(text, pieceBytes)).toBe(passes(text));
      }),
    );
  });

  it('of JSON is what a parser finds', () => {
    const depthOf = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? 1 + Math.max(0, ...Object.values(value).map((inner) => depthOf(inner)))
        : 0;
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.integer({ min: 55, max: 66 }), (value, around) => {
        const text = '['.repeat(around) + JSON.stringify(value) + ']'.repeat(around);
        expect(passes(text)).toBe(around + depthOf(value) <= MAX_JSON_DEPTH);
      }),
    );
  });
});
