import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMediaType } from '../../../src/server/body.ts';

const JSON_TYPE = 'application/json';

describe('a media type', () => {
  it.each<[text: string, parameters: readonly (readonly [string, string])[]]>([
    ['application/json', []],
    [' Application/JSON\t', []],
    ['application/json;charset=utf-8', [['charset', 'utf-8']]],
    ['application/json ; CharSet=UTF-8 ', [['charset', 'UTF-8']]],
    ['application/json; charset="utf-8"', [['charset', 'utf-8']]],
    ['application/json; a="b\\"c\\\\d;e=f"', [['a', 'b"c\\d;e=f']]],
    ['application/json; a=""', [['a', '']]],
    [
      'application/json; a=1; A=2',
      [
        ['a', '1'],
        ['a', '2'],
      ],
    ],
    ['application/json;', []],
    ['application/json; ;\t; a=b;', [['a', 'b']]],
    ['application/json; a="é"', [['a', 'é']]],
  ])('%j is read (RFC 9110, section 8.3.1)', (text, parameters) => {
    expect(parseMediaType(text)).toEqual({ essence: JSON_TYPE, parameters });
  });

  it.each([
    '',
    ' ',
    '/',
    'application',
    'application/',
    '/json',
    'application /json',
    'application/ json',
    'application/json/x',
    'application/json charset=utf-8',
    'application/json, text/plain',
    'application/json; charset',
    'application/json; charset=',
    'application/json; =utf-8',
    'application/json; charset =utf-8',
    'application/json; charset= utf-8',
    'application/json; charset=utf-8 utf-8',
    'application/json; charset="utf-8',
    'application/json; charset="utf-8\\',
    'application/json; charset="utf-8"x',
    'application/json; charset=""b',
    'application/json; a="\u0000"',
    'application/json; a="\\\u0000"',
    'application/json; a="\u0100"',
    'application/json; a=é',
  ])('%j does not follow the grammar', (text) => {
    expect(parseMediaType(text)).toBeUndefined();
  });

  it('has at most 200 characters', () => {
    const withParameter = (length: number) => `${JSON_TYPE}; a=`.padEnd(length, 'x');
    expect(parseMediaType(withParameter(200))).toBeDefined();
    expect(parseMediaType(withParameter(201))).toBeUndefined();
  });

  it('whose values are quoted comes back as it was written', () => {
    const value = fc.string({
      unit: fc.constantFrom('a', 'b', '"', '\\', ';', '=', ' ', '\t', ',', 'é', '/'),
      maxLength: 20,
    });
    fc.assert(
      fc.property(fc.array(value, { maxLength: 3 }), (values) => {
        const quoted = values.map((one) => `; a="${one.replaceAll(/["\\]/g, '\\$&')}"`).join('');
        expect(parseMediaType(`${JSON_TYPE}${quoted}`)).toEqual({
          essence: JSON_TYPE,
          parameters: values.map((one) => ['a', one]),
        });
      }),
    );
  });
});
