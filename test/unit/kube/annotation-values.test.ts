import { describe, expect, it } from 'vitest';
import { parseVersion, readCounter } from '../../../src/kube/annotation-values.ts';

const MALFORMED = [
  '',
  ' ',
  ' 1',
  '1 ',
  '1\n',
  '+1',
  '-1',
  '-0',
  '01',
  '00',
  '1.0',
  '1e3',
  '0x10',
  '1_000',
  'NaN',
  'Infinity',
  'one',
  '١',
  '９',
  '9007199254740992',
  '9007199254740993',
  '10000000000000000',
  '99999999999999999999',
  '__proto__',
];

describe('the version counter', () => {
  it.each([
    ['0', 0],
    ['1', 1],
    ['10', 10],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ])('%s is %i', (text, version) => {
    expect(parseVersion(text)).toBe(version);
  });

  it.each(MALFORMED)('%j is no version', (text) => {
    expect(parseVersion(text)).toBeUndefined();
  });

  it('counts as 1 when it is absent, zero or malformed', () => {
    expect(readCounter(undefined)).toBe(1);
    expect(readCounter('0')).toBe(1);
    for (const text of MALFORMED) expect(readCounter(text)).toBe(1);
  });

  it('is what it says otherwise', () => {
    expect(readCounter('1')).toBe(1);
    expect(readCounter('2')).toBe(2);
    expect(readCounter('9007199254740991')).toBe(9_007_199_254_740_991);
  });
});
