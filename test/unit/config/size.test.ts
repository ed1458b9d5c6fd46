import { describe, expect, it } from 'vitest';
import { parseSize } from '../../../src/config/forms.ts';

describe('a size', () => {
  it.each([
    ['1KiB', 1_024],
    ['64MiB', 67_108_864],
    ['2GiB', 2_147_483_648],
    ['999999GiB', 1_073_740_750_258_176],
  ])('%s is %i bytes', (text, bytes) => {
    expect(parseSize(text)).toBe(bytes);
  });

  it.each([
    '',
    '1',
    'MiB',
    '0MiB',
    '01MiB',
    '-1MiB',
    '1.5MiB',
    '1 MiB',
    ' 1MiB',
    '1MiB\n',
    '1MB',
    '1mib',
    '1000000GiB',
  ])('%j is none', (text) => {
    expect(parseSize(text)).toBeUndefined();
  });
});
