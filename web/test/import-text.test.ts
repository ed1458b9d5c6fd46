import { expect, test } from 'vitest';
import { parseImport } from '../src/values/dotenv.ts';

test('a JSON object is imported key by key, whatever its keys are called', () => {
  const text = '\n{"a": "x\\ny", "__proto__": "p", "port": 5432, "on": true, "empty": ""}';
  expect(parseImport(text)).toEqual({
    entries: [
      { key: 'a', value: 'x\ny' },
      { key: '__proto__', value: 'p' },
      { key: 'port', value: '5432' },
      { key: 'on', value: 'true' },
      { key: 'empty', value: '' },
    ],
    unreadLines: [],
    leftOut: [],
  });
});

test('what is no text, or not exact as a text, is left out and named', () => {
  const text =
    '{"a": "x", "binary": {"base64": "AA=="}, "list": [], "none": null, "big": 12345678901234567890}';
  expect(parseImport(text)).toMatchObject({
    entries: [{ key: 'a', value: 'x' }],
    leftOut: ['binary', 'list', 'none', 'big'],
  });
});

test.each(['{"a": ', '["a"]', 'A=1'])('%j is read as an .env text', (text) => {
  const { entries, unreadLines } = parseImport(text);
  expect(entries.length + unreadLines.length).toBe(1);
});
