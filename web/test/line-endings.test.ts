import { expect, test } from 'vitest';
import { fromEditor, lineEndings, toEditor } from '../src/values/lines.ts';

test.each([
  ['no lines', 'none'],
  ['', 'none'],
  ['a\nb\n', 'lf'],
  ['a\r\nb\r\n', 'crlf'],
  ['a\r\nb\n', 'mixed'],
  ['a\rb', 'mixed'],
  ['a\r\r\n', 'mixed'],
] as const)('%j has line endings of kind %s', (text, kind) => {
  expect(lineEndings(text)).toBe(kind);
});

test.each(['', 'a', 'a\nb\n', 'a\r\nb\r\n', '\r\n', '\n\n'])(
  '%j comes back from a text field as it was',
  (text) => {
    expect(fromEditor(toEditor(text), lineEndings(text))).toBe(text);
  },
);

test('a text field never holds a carriage return', () => {
  expect(toEditor('a\r\nb\rc\n')).toBe('a\nb\nc\n');
});
