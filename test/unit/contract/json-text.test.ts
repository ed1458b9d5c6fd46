import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObjectOrNull } from '../../../src/contract/json-text.ts';

const takes = (text: string) => isJsonObjectOrNull(Buffer.from(text));

/** Another way to the same answer: a parser, and the numbers of the text. */
function isTakenByParser(text: string): boolean {
  // In the text: of two values of one name, the parser returns the last.
  const numbers = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""').match(/-?\d[\d.eE+-]*/g) ?? [];
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value) && numbers.map(Number).every(Number.isFinite);
  } catch {
    return false;
  }
}

const nested = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;

describe('a JSON object or null', () => {
  it.each([
    'null',
    ' null\n',
    '{}',
    '\t{ }\r\n',
    '{"a":1,"a":2}',
    '{"":null,"b":[true,false,{}, [ ]] , "c" : "\\u00e9\\n\\"" }',
    '{"a":[-0,0.5,1e5,1E+5,1e-999,-12.50e1]}',
    '{"__proto__":{}}',
    '{"a":"\\ud800"}',
    '{"a":1e308}',
    `{"a":${'9'.repeat(308)}}`,
  ])('is %s', (text) => {
    expect(takes(text)).toBe(true);
  });

  it.each([
    '',
    ' ',
    'nul',
    'nulll',
    'null null',
    'true',
    '1',
    '"a"',
    '[]',
    '[{}]',
    '{',
    '}',
    '{}}',
    '{} {}',
    '{]',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{,}',
    '{"a":1 "b":2}',
    '{"a" 1}',
    '{a:1}',
    "{'a':1}",
    '{"a":[1,]}',
    '{"a":[1}',
    '{"a":01}',
    '{"a":-}',
    '{"a":+1}',
    '{"a":.5}',
    '{"a":1.}',
    '{"a":1e}',
    '{"a":NaN}',
    '{"a":Infinity}',
    '{"a":tru}',
    '{"a":"\u0001"}',
    '{"a":"\t"}',
    '{"a":"\\x"}',
    '{"a":"\\u12g4"}',
    '{"a":"b}',
    '{"a":1e309}',
    '{"a":-1e309}',
    '{"a":1e99999999999999999999}',
    `{"a":${'9'.repeat(400)}}`,
    '\ufeff{}',
  ])('is not %j', (text) => {
    expect(takes(text)).toBe(false);
  });

  it('may hold invalid UTF-8, as Go reads it', () => {
    expect(isJsonObjectOrNull(Buffer.from('{"a":"\xff"}', 'latin1'))).toBe(true);
    expect(isJsonObjectOrNull(Buffer.from('{\xff}', 'latin1'))).toBe(false);
    for (let byte = 0x20; byte <= 0xff; byte++) {
      const isEnd = byte === 0x22 || byte === 0x5c;
      const text = Buffer.concat([Buffer.from('{"a":"'), Buffer.of(byte), Buffer.from('"}')]);
      expect(isJsonObjectOrNull(text)).toBe(!isEnd);
    }
  });

  it("may have 10,000 levels, Go's limit, and no more", () => {
    expect(takes(nested(10_000))).toBe(true);
    expect(takes(nested(10_001))).toBe(false);
    expect(takes(`{"a":${'['.repeat(1_048_570)}`)).toBe(false);
  });

  it.each([
    ['strings', `{"a":"${'x'.repeat(16_777_216)}"}`],
    ['escapes', `{"a":"${'\\n'.repeat(8_388_608)}"}`],
    ['digits', `{"a":0.${'1'.repeat(16_777_216)}}`],
    ['white space', `{"a":${' '.repeat(16_777_216)}1}`],
  ])('may have any length: 16 MiB of %s', (_what, text) => {
    expect(takes(text)).toBe(true);
  });

  it('is what a parser takes, for any JSON and for what is nearly JSON', () => {
    const token = fc.constantFrom(
      ...['{', '}', '[', ']', ':', ',', '"a"', '"a":', '{"a":', '1', '-', '0', '.', 'e', '1e400', '1e300'],
      ...['null', 'true', ' ', '\n', '"', '\\', '\\u0041', '\u0000'],
    );
    const nearly = fc.array(token, { maxLength: 12 }).map((tokens) => tokens.join(''));
    const text = fc.oneof(
      fc.json(),
      fc.json().map((json) => `{"a":${json}}`),
      nearly,
      nearly.map((some) => `{"a":${some}}`),
    );
    fc.assert(
      fc.property(text, (json) => {
        expect(takes(json)).toBe(isTakenByParser(json));
      }),
      { numRuns: 3_000, examples: [['{"a":1e400,"a":1}']] },
    );
  });
});
