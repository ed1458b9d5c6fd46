import { expect, test } from 'vitest';
import { hasLines } from '../src/values/lines.ts';
import { lineDiff } from '../src/values/line-diff.ts';

const flat = (before: string, after: string) =>
  lineDiff(before, after)?.map((group) => group.map(({ kind, text }) => `${kind}:${text}`));

test('only the lines that differ are shown, with three lines around them', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
  const after = lines.with(10, 'other').join('\n');
  expect(flat(lines.join('\n'), after)).toEqual([
    [
      ...['same:line 7', 'same:line 8', 'same:line 9', 'removed:line 10', 'added:other'],
      ...['same:line 11', 'same:line 12', 'same:line 13'],
    ],
  ]);
});

test('a line break at the end is a difference of its own', () => {
  expect(flat('a\nb', 'a\nb\n')).toEqual([
    ['same:a', 'removed:b', 'note:No line break at the end', 'added:b'],
  ]);
});

test('different line endings differ', () => {
  expect(flat('a\r\n', 'a\n')).toEqual([['removed:a\r', 'added:a']]);
});

test('texts that are too large or too different are not compared', () => {
  const many = (word: string) => Array.from({ length: 5_000 }, (_, index) => `${word} ${index}`).join('\n');
  expect(lineDiff(many('a'), many('b'))).toBeUndefined();
  expect(lineDiff('a\n'.repeat(200_000), 'b')).toBeUndefined();
});

test('single lines are compared side by side', () => {
  expect([hasLines('a', 'b'), hasLines('a\nb', 'b'), hasLines(undefined, 'a\nb')]).toEqual([
    false,
    true,
    false,
  ]);
});
