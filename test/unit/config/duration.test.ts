import { describe, expect, it } from 'vitest';
import { parseDuration } from '../../../src/contract/times.ts';

describe('a duration', () => {
  it.each([
    ['1ms', 1],
    ['90s', 90_000],
    ['1m', 60_000],
    ['72h', 259_200_000],
    ['30d', 2_592_000_000],
    ['999999999ms', 999_999_999],
    ['104249991d', 9_007_199_222_400_000],
  ])('%s is %i milliseconds', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each([
    '',
    '0s',
    '00s',
    '01s',
    '-1s',
    '+1s',
    '1',
    's',
    '1 s',
    ' 1s',
    '1s ',
    '1s\n',
    '1.5h',
    '1h30m',
    '1S',
    '1M',
    '1w',
    '1y',
    '1e3s',
    '1constructor',
    '1__proto__',
    '١s',
    '1000000000ms',
    '999999999d',
    'P1D',
  ])('%j is none', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});
