import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOf, hasBinaryControl, textOf } from '../../../src/contract/text.ts';

const bytes = (...values: number[]) => Uint8Array.from(values);
const hex = (code: number) => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;

/** The contract's list, written out: U+0000–0008, U+000B–000C, U+000E–001F, U+007F. */
const BINARY_CONTROLS: readonly number[] = [
  ...Array.from({ length: 9 }, (_item, index) => index),
  0x0b,
  0x0c,
  ...Array.from({ length: 18 }, (_item, index) => 0x0e + index),
  0x7f,
];

describe('a character makes a value binary', () => {
  it.each(Array.from({ length: 0x101 }, (_item, code) => code))('%i', (code) => {
    const character = String.fromCodePoint(code);
    const binary = BINARY_CONTROLS.includes(code);
    for (const text of [character, `a${character}`, `${character}a`, `é🔑${character}`]) {
      expect(hasBinaryControl(text), hex(code)).toBe(binary);
      expect(textOf(Buffer.from(text)), hex(code)).toBe(binary ? undefined : text);
    }
  });
});

describe('text', () => {
  it.each([
    ['nothing', ''],
    ['tab, LF and CR', '\t\n\r'],
    ['a CRLF file', 'a=1\r\nb=2\r\n'],
    ['a byte order mark first', '\ufeffabc'],
    ['a byte order mark alone', '\ufeff'],
    ['a byte order mark inside', 'a\ufeffb'],
    ['two byte order marks', '\ufeff\ufeff'],
    ['the reversed byte order mark', '\ufffe'],
    ['the literal replacement character', 'a\ufffdb'],
    ['C1 controls', '\u0080\u0085\u009f'],
    ['line and paragraph separators', '\u2028\u2029'],
    ['bidirectional controls', '\u202e\u2066'],
    ['a zero-width joiner', '👩\u200d🚀'],
    ['a noncharacter', '\uffff\u{1fffe}\u{10ffff}'],
    ['a private-use character', '\ue000'],
    ['a decomposed letter, kept decomposed', 'e\u0301'],
    ['the last character before the surrogates', '\ud7ff'],
  ])('%s is text, and encodes to the same bytes again', (_what, text) => {
    const value = Buffer.from(text, 'utf8');
    expect(textOf(value)).toBe(text);
    expect(Buffer.from(bytesOf(text))).toEqual(value);
  });
});

describe('invalid UTF-8 is binary', () => {
  it.each([
    ['a continuation byte alone', bytes(0x80)],
    ['a byte that is never used', bytes(0xff)],
    ['a byte that is never used', bytes(0xfe)],
    ['the first byte of an overlong pair', bytes(0xc0)],
    ['an overlong NUL', bytes(0xc0, 0x80)],
    ['an overlong slash in two bytes', bytes(0xc0, 0xaf)],
    ['an overlong slash in three bytes', bytes(0xe0, 0x80, 0xaf)],
    ['an overlong slash in four bytes', bytes(0xf0, 0x80, 0x80, 0xaf)],
    ['a truncated pair', bytes(0xc3)],
    ['a truncated triple', bytes(0xe2, 0x82)],
    ['a truncated quadruple', bytes(0xf0, 0x9f, 0x94)],
    ['a pair cut off by a letter', bytes(0xc3, 0x61)],
    ['a high surrogate', bytes(0xed, 0xa0, 0x80)],
    ['a low surrogate', bytes(0xed, 0xbf, 0xbf)],
    ['a surrogate pair (CESU-8)', bytes(0xed, 0xa0, 0xbd, 0xed, 0xb4, 0x91)],
    ['a code point above U+10FFFF', bytes(0xf4, 0x90, 0x80, 0x80)],
    ['a five-byte sequence', bytes(0xf8, 0x88, 0x80, 0x80, 0x80)],
    ['a UTF-16LE byte order mark', bytes(0xff, 0xfe, 0x61, 0x00)],
    ['a UTF-16BE byte order mark', bytes(0xfe, 0xff, 0x00, 0x61)],
    ['Latin-1', bytes(0x63, 0x61, 0x66, 0xe9)],
  ])('%s', (_what, value) => {
    expect(textOf(value)).toBeUndefined();
    expect(textOf(Buffer.concat([Buffer.from('before '), value]))).toBeUndefined();
    expect(textOf(Buffer.concat([value, Buffer.from(' after')]))).toBeUndefined();
  });

  it('and leaves nothing behind for the next value', () => {
    expect(textOf(bytes(0xe2, 0x82))).toBeUndefined();
    expect(textOf(bytes(0xac))).toBeUndefined();
    expect(textOf(bytes(0x61))).toBe('a');
    expect(textOf(Buffer.from('\ufeffa'))).toBe('\ufeffa');
  });
});

describe('the split of values', () => {
  const anyBytes = fc.oneof(
    fc.uint8Array({ maxLength: 64 }),
    fc.string({ unit: 'binary', maxLength: 64 }).map((text) => Uint8Array.from(Buffer.from(text))),
    fc.string({ unit: 'grapheme', maxLength: 64 }).map((text) => Uint8Array.from(Buffer.from(text))),
  );

  it('loses nothing: what is text encodes to exactly the same bytes', () => {
    fc.assert(
      fc.property(anyBytes, (value) => {
        const text = textOf(value);
        if (text !== undefined) expect(Buffer.from(bytesOf(text))).toEqual(Buffer.from(value));
      }),
      { numRuns: 2_000 },
    );
  });

  it('takes as text exactly what is valid UTF-8 without binary controls', () => {
    fc.assert(
      fc.property(anyBytes, (value) => {
        const lossless = Buffer.from(Buffer.from(value).toString('utf8')).equals(Buffer.from(value));
        const controlled = value.some((byte) => BINARY_CONTROLS.includes(byte));
        expect(textOf(value) !== undefined).toBe(lossless && !controlled);
      }),
      { numRuns: 2_000 },
    );
  });

  it('does not depend on the buffer that a value is a part of', () => {
    const whole = Buffer.from([0xff, 0x61, 0x62, 0xff]);
    expect(textOf(whole.subarray(1, 3))).toBe('ab');
  });
});

it('leaves no value behind in what the engine remembers of the last match', () => {
  expect(hasBinaryControl('\u0001value')).toBe(true);
  const { $_: input } = RegExp as unknown as { readonly $_: string };
  expect(input).toBe('');
});
