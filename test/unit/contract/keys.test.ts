import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isValidKey } from '../../../src/contract/keys.ts';

describe('a key', () => {
  it.each([
    'a',
    'A.b-c_9',
    '-',
    '_',
    '.x',
    'a..b',
    'a..',
    'a.',
    'tls.crt',
    '.dockerconfigjson',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'valueOf',
    '0',
    'k'.repeat(253),
  ])('%s is valid', (key) => {
    expect(isValidKey(key)).toBe(true);
  });

  it.each([
    '',
    '.',
    '..',
    '...',
    '..x',
    '../x',
    'a/b',
    'a b',
    ' a',
    'a\n',
    'a\0',
    'é',
    'ａ',
    '\u212a',
    'a:b',
    'a,b',
    'a=b',
    'a\\b',
    '[object Object]',
    'k'.repeat(254),
  ])('%j is not', (key) => {
    expect(isValidKey(key)).toBe(false);
  });

  it('is valid exactly when the rule read aloud says so', () => {
    const nearly = fc.string({
      unit: fc.constantFrom('a', 'Z', '0', '_', '-', '.', '.', '.', '/', ' ', 'é', '\n'),
      maxLength: 6,
    });
    fc.assert(
      fc.property(nearly, (key) => {
        const allowed = !['/', ' ', 'é', '\n'].some((character) => key.includes(character));
        const expected = key.length >= 1 && allowed && key !== '.' && !key.startsWith('..');
        expect(isValidKey(key)).toBe(expected);
      }),
      { numRuns: 1_000 },
    );
  });
});
