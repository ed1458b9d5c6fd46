import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_PRINTABLE, printable } from '../../../src/contract/printable.ts';
import { quietMsOf } from '../../harness/machine-slowness.ts';

const codePoints = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** What must never be written raw, by its code points. */
const HOSTILE: readonly (readonly [what: string, points: readonly number[]])[] = [
  ['C0 controls', codePoints(0x00, 0x1f)],
  ['DEL and C1 controls', codePoints(0x7f, 0x9f)],
  ['bidi embeddings and overrides', codePoints(0x202a, 0x202e)],
  ['bidi isolates', codePoints(0x2066, 0x2069)],
  ['bidi controls', [0x061c, 0x200e, 0x200f]],
  ['zero-width characters', [0x200b, 0x200c, 0x200d, 0x2060, 0xfeff]],
  [
    'format characters that are visible to some, such as annotation anchors',
    [0x0600, 0x06dd, 0xfff9, 0xfffa, 0xfffb],
  ],
  ['line and paragraph separators', [0x2028, 0x2029]],
  ['lone surrogates', [0xd800, 0xdbff, 0xdc00, 0xdfff]],
  ['fillers, joiners and the soft hyphen', [0x00ad, 0x034f, 0x115f, 0x1160, 0x3164, 0xffa0]],
  ['variation selectors and tags', [0xfe0f, 0xe0001, 0xe0041, 0xe007f, 0xe0100]],
];

describe('a text that is made printable', () => {
  it.each(HOSTILE)('spells out %s', (_what, points) => {
    for (const point of points) {
      expect(printable(`a${String.fromCodePoint(point)}b`)).toBe(`a\\u{${point.toString(16)}}b`);
    }
  });

  it.each([
    '',
    'alice@example.com',
    'Ångström, Ελένη, 山田太郎, שלום, مرحبا',
    '🔑 and a \\ and a "quote"',
    'x'.repeat(MAX_PRINTABLE),
  ])('is left alone where it is harmless: %j', (text) => {
    expect(printable(text)).toBe(text);
  });

  it('is cut where it is too long, and says how long it was', () => {
    expect(printable('x'.repeat(MAX_PRINTABLE + 1))).toBe(
      `${'x'.repeat(MAX_PRINTABLE)}… (${MAX_PRINTABLE + 1} characters)`,
    );
    expect(printable('abcdef', 3)).toBe('abc… (6 characters)');
  });

  it('is cut also where only spelling it out makes it too long', () => {
    expect(printable('\u202e'.repeat(4), 20)).toBe('\\u{202e}\\u{202e}… (4 characters)');
  });

  it('is not cut within a character', () => {
    expect(printable('ab🔑cd', 3)).toBe('ab… (6 characters)');
    expect(printable('🔑🔑', 3)).toBe('🔑… (4 characters)');
  });

  it('is bounded, well-formed and free of what it spells out, whatever it was', () => {
    const anything = fc.string({ unit: 'binary', maxLength: 200 });
    const hostile = fc
      .constantFrom(...HOSTILE.flatMap(([, points]) => points))
      .map((point) => String.fromCodePoint(point));
    fc.assert(
      fc.property(
        fc.array(fc.oneof(anything, hostile), { maxLength: 60 }),
        fc.integer({ min: 1, max: 300 }),
        (parts, max) => {
          const text = parts.join('');
          const result = printable(text, max);
          expect(result.length).toBeLessThanOrEqual(max + 30);
          expect(result.isWellFormed()).toBe(true);
          expect(result).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        },
      ),
    );
  });

  it('takes time that grows with the bound, not with the text', () => {
    const long = '\u202e\\u{'.repeat(2_000_000);
    const hundredTimes = () => {
      for (let round = 0; round < 100; round++) printable(long);
    };
    expect(quietMsOf(hundredTimes)).toBeLessThan(100);
  });
});
