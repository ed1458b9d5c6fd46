import { describe, expect, it } from 'vitest';
import { codingHeaders, contentCoding } from '../../../src/server/content-coding.ts';

const LONG = 100_000;

describe('the content coding of a long response', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['GZip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'gzip'],
    ['br;q=1.0, gzip;q=0.8, *;q=0.1', 'gzip'],
    ['deflate', 'identity'],
    ['*', 'gzip'],
    ['*;q=0.001', 'gzip'],
    ['*;q=0', 'identity'],
    ['*;q=0, gzip', 'gzip'],
    ['gzip;q=0', 'identity'],
    ['gzip;q=0.000', 'identity'],
    ['gzip;q=0, *', 'identity'],
    ['gzip ; q=0.5', 'gzip'],
    ['gzip;q=0.5, identity', 'identity'],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['identity;q=0.5, gzip;q=0.4', 'identity'],
    ['identity;q=0, gzip;q=0.1', 'gzip'],
    // Neither is acceptable: the response comes as it is.
    ['identity;q=0', 'identity'],
    ['identity;q=0, gzip;q=0', 'identity'],
    // Malformed elements count as if they were not there.
    ['gzip;q=2', 'identity'],
    ['gzip;q=0.5555', 'identity'],
    ['gzip;q=', 'identity'],
    ['gzip;level=9', 'identity'],
    ['gzip;q=1;q=0', 'identity'],
    [';q=1, ,, gzip', 'gzip'],
    ['gzipped', 'identity'],
    ['__proto__, constructor', 'identity'],
  ] as const)('for Accept-Encoding %o is %s', (acceptEncoding, coding) => {
    expect(contentCoding(acceptEncoding, LONG)).toBe(coding);
  });

  it('of a short response is identity, unless the client refuses that', () => {
    expect(contentCoding('gzip', 100)).toBe('identity');
    expect(contentCoding('gzip, identity;q=0', 100)).toBe('gzip');
    expect(contentCoding('gzip, *;q=0', 100)).toBe('gzip');
  });

  it('is decided in linear time', () => {
    const long = `${'a;q=0.1,'.repeat(100_000)}gzip`;
    expect(contentCoding(long, LONG)).toBe('gzip');
    expect(contentCoding(' ;'.repeat(100_000), LONG)).toBe('identity');
  });

  it('is in the headers, with Vary either way', () => {
    expect(codingHeaders('gzip')).toEqual({ Vary: 'Accept-Encoding', 'Content-Encoding': 'gzip' });
    expect(codingHeaders('identity')).toEqual({ Vary: 'Accept-Encoding' });
  });
});
