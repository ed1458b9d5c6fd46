import { expect, test } from 'vitest';
import { excerptOf, lineCount } from '../src/values/lines.ts';

test('a text of 2,000 lines is drawn whole, of a longer one its first 2,000', () => {
  const lines = (count: number) => 'line\n'.repeat(count);
  expect(excerptOf(lines(2_000))).toBe(lines(2_000));
  expect(excerptOf(`${lines(2_000)}one more`)).toBe(lines(2_000).trimEnd());
  expect(lineCount(lines(65_000))).toBe(65_000);
});

test('a long line is cut, but never within a character', () => {
  expect(excerptOf('x'.repeat(1_000_000))).toHaveLength(100_000);
  const cut = excerptOf(`x${'😀'.repeat(100_000)}`);
  expect(cut).toHaveLength(99_999);
  expect(cut.isWellFormed()).toBe(true);
});

test.each(['', 'x', '\n', 'a\nb'])('%j is short enough', (text) => {
  expect(excerptOf(text)).toBe(text);
});
