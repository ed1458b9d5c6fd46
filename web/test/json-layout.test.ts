import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatJson } from '../src/values/json-layout.ts';

/** What is left of a JSON text without the white space between its tokens. */
const withoutLayout = (text: string) => text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');

test('numbers, the order of keys and repeated keys stay as they are stored', () => {
  const text = '{"id":12345678901234567890,"x":1.10,"1":0,"b":2,"b":3,"e":1E5,"z":-0}';
  expect(formatJson(text)).toBe(
    [
      '{',
      '  "id": 12345678901234567890,',
      '  "x": 1.10,',
      '  "1": 0,',
      '  "b": 2,',
      '  "b": 3,',
      '  "e": 1E5,',
      '  "z": -0',
      '}',
    ].join('\n'),
  );
});

test('escapes and brackets in strings are left alone, and empty things stay on their line', () => {
  expect(formatJson('{"a":"\\u0041\\"}, [","b":[ ],"c":[{ }]}')).toBe(
    '{\n  "a": "\\u0041\\"}, [",\n  "b": [],\n  "c": [\n    {}\n  ]\n}',
  );
});

test.each([
  '',
  '1',
  '"{}"',
  'null',
  '{',
  '{"a":}',
  '[1,]',
  '\uFEFF{}',
  "{'a':1}",
  `${'['.repeat(65)}${']'.repeat(65)}`,
])('%s is not formatted', (text) => {
  expect(formatJson(text)).toBeUndefined();
});

/** JSON texts as people and programs write them, with white space anywhere between the tokens. */
const { container } = fc.letrec<{ value: string; container: string }>((tie) => {
  const blank = fc.string({ unit: fc.constantFrom(' ', '\n', '\t', '\r'), maxLength: 3 });
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom('"', '\\', '{', ':', ',', ' ', 'b') }),
  );
  const number = fc.constantFrom('0', '-0', '1.10', '1E5', '12345678901234567890', '0.1e-7');
  const spaced = fc.tuple(blank, tie('value'), blank).map((parts) => parts.join(''));
  const key = fc
    .tuple(blank, text, blank)
    .map(([left, name, right]) => `${left}${JSON.stringify(name)}${right}`);
  const array = fc.oneof(
    fc.array(spaced, { minLength: 1, maxLength: 4 }),
    blank.map((only) => [only]),
  );
  const object = fc.array(fc.tuple(key, spaced), { maxLength: 4 });
  return {
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('true', 'null'),
      number,
      text.map((one) => JSON.stringify(one)),
      tie('container'),
    ),
    container: fc.oneof(
      array.map((entries) => `[${entries.join(',')}]`),
      object.map((entries) => `{${entries.map((entry) => entry.join(':')).join(',')}}`),
    ),
  };
});

test('formatting changes the white space between tokens and nothing else', () => {
  fc.assert(
    fc.property(container, (text) => {
      const formatted = formatJson(text);
      expect(withoutLayout(formatted ?? '')).toBe(withoutLayout(text));
      expect(formatJson(formatted ?? '')).toBe(formatted);
    }),
  );
});

test('a string of a mebibyte is formatted', () => {
  const text = JSON.stringify(['\\"'.repeat(2 ** 18)]);
  expect(formatJson(text)).toBe(`[\n  ${text.slice(1, -1)}\n]`);
});
