import { describe, expect, it } from 'vitest';
import { goJsonProblem } from '../../../../hack/dev-cluster/json/go-json.ts';

const problem = (text: string): string | undefined => goJsonProblem(Buffer.from(text));

describe("what Go's decoder says of a text", () => {
  it.each(['{}', ' {} ', 'null', '[1,-0.5e+3,"\\u00e9\\n"]', '{"a":{"b":[true,false,null]}}', '"é"'])(
    'nothing of %s',
    (text) => {
      expect(problem(text)).toBeUndefined();
    },
  );

  it.each([
    ['', 'unexpected end of JSON input'],
    ['{"a":', 'unexpected end of JSON input'],
    ['{bad', "invalid character 'b' looking for beginning of object key string"],
    ['{} {}', "invalid character '{' after top-level value"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b"}', "invalid character '\"' after object key:value pair"],
    ['[1 2]', "invalid character '2' after array element"],
    ['tru!', "invalid character '!' in literal true (expecting 'e')"],
    ["'a'", String.raw`invalid character '\'' looking for beginning of value`],
    ['-a', "invalid character 'a' in numeric literal"],
    ['1.x', "invalid character 'x' after decimal point in numeric literal"],
    ['1ex', "invalid character 'x' in exponent of numeric literal"],
    ['01', "invalid character '1' after top-level value"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u00g0"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['"a\nb"', String.raw`invalid character '\n' in string literal`],
    ['"a\u0001b"', String.raw`invalid character '\x01' in string literal`],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ])('of %j: %s', (text, expected) => {
    expect(problem(text)).toBe(expected);
  });

  it('that it is too deep', () => {
    expect(problem('['.repeat(10_001))).toBe('exceeded max depth');
  });
});
