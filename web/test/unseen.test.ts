import fc from 'fast-check';
import { expect, test } from 'vitest';
import { piecesOf, unseenDifference, unseenNotes } from '../src/values/unseen.ts';

test.each([
  ['secret', []],
  ['', []],
  ['two words', []],
  ['a\nb', []],
  ['secret\n', ['ends with a line break']],
  ['secret\n\n', ['ends with 2 line breaks']],
  ['secret\r\n', ['ends with a line break', 'has CRLF line endings']],
  ['a\r\nb\n', ['ends with a line break', 'has mixed line endings']],
  ['secret ', ['ends with white space']],
  ['secret\t', ['ends with white space']],
  [' secret', ['begins with white space']],
  ['\uFEFFsecret', ['begins with a BOM']],
  ['\uFEFF secret', ['begins with a BOM', 'begins with white space']],
  ['a \nb', ['has lines that end in white space']],
  ['a\u00A0b', ['has no-break spaces']],
  ['a\u2003b', ['has unusual spaces']],
  ['a\u200Bb', ['has zero-width characters']],
  ['a\uFEFFb', ['has zero-width characters']],
  ['a\u202Eb', ['has invisible characters']],
  ['a\u0085b', ['has control characters']],
])('of %j it is said: %j', (text, notes) => {
  expect(unseenNotes(text)).toEqual(notes);
});

test.each([
  ['secret', 'secret\n', 'differs only in white space'],
  ['a\nb', 'a\r\nb', 'differs only in white space'],
  ['a b', 'a\u00A0b', 'differs only in white space'],
  ['secret', '\uFEFFsecret', 'differs only in invisible characters'],
  ['secret', 'sec\u200Bret', 'differs only in invisible characters'],
  ['secret', 'Secret', undefined],
  ['', '(empty)', undefined],
])('%j and %j: %j', (before, after, note) => {
  expect(unseenDifference(before, after)).toBe(note);
});

test.each([
  ['secret', undefined],
  ['two words', undefined],
  ['a\n\nb', undefined],
  ['secret\n', '↵'],
  ['secret \t', '·→'],
  ['secret  \nmore', '··'],
  ['  secret', '··'],
  ['a\rb', 'CR'],
  ['a\u00A0b', 'NBSP'],
  ['\uFEFFa', 'BOM'],
  ['a\u200Bb', 'U+200B'],
  ['a\u{E0041}b', 'U+E0041'],
])('in %j the symbol %j is drawn', (text, symbol) => {
  expect(piecesOf(text).find((piece) => piece.symbol !== undefined)?.symbol).toBe(symbol);
});

test('the pieces of a text are the text, whatever is in it', () => {
  const odd = fc.constantFrom('a', ' ', '\t', '\r', '\n', '\uFEFF', '\u00A0', '\u200B', '😀', '\u0085');
  fc.assert(
    fc.property(fc.string({ unit: fc.oneof(odd, fc.string({ unit: 'binary', maxLength: 1 })) }), (text) => {
      expect(
        piecesOf(text)
          .map((piece) => piece.text)
          .join(''),
      ).toBe(text);
    }),
  );
});

test.each([' ', '\t', '\r', '\n', '\r\n', ' \n', ' \r', '\u200B', ' a'])(
  'a mebibyte of %j is looked through at once',
  (part) => {
    const text = `${part.repeat(2 ** 20 / part.length)}x`;
    const start = performance.now();
    unseenNotes(text);
    piecesOf(text);
    unseenDifference(text, `${text} `);
    expect(performance.now() - start).toBeLessThan(2_000);
  },
);
