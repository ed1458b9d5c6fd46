import { describe, expect, it } from 'vitest';
import { parseDeleteQuery } from '../../../../src/api/routes/query-parameters.ts';

const parse = (query: string) => parseDeleteQuery(new URLSearchParams(query));

describe('the query of a deletion', () => {
  it.each([
    ['resourceVersion=1', { resourceVersion: '1', keepHistory: false, archive: false }],
    ['resourceVersion=1&keepHistory=false', { resourceVersion: '1', keepHistory: false, archive: false }],
    ['resourceVersion=1&keepHistory=true', { resourceVersion: '1', keepHistory: true, archive: false }],
    ['keepHistory=true&resourceVersion=1', { resourceVersion: '1', keepHistory: true, archive: false }],
    [
      'resourceVersion=1&keepHistory=true&archive=true',
      { resourceVersion: '1', keepHistory: true, archive: true },
    ],
    ['resourceVersion=a%20b%2Fc%26d', { resourceVersion: 'a b/c&d', keepHistory: false, archive: false }],
    ['resourceVersion=1&other=x&other=y', { resourceVersion: '1', keepHistory: false, archive: false }],
  ])('%s is taken', (query, request) => {
    expect(parse(query)).toEqual(request);
  });

  it.each([
    ['', 'resourceVersion is required and must not be blank'],
    ['keepHistory=true', 'resourceVersion is required and must not be blank'],
    ['resourceVersion', 'resourceVersion is required and must not be blank'],
    ['resourceVersion=', 'resourceVersion is required and must not be blank'],
    ['resourceVersion=%20+%09%0A', 'resourceVersion is required and must not be blank'],
    ['resourceVersion=%C2%A0', 'resourceVersion is required and must not be blank'],
    ['resourceversion=1', 'resourceVersion is required and must not be blank'],
    ['resourceVersion[]=1', 'resourceVersion is required and must not be blank'],
    ['resourceVersion=1&resourceVersion=1', 'resourceVersion must be given once'],
    ['resourceVersion=1&resourceVersion=', 'resourceVersion must be given once'],
    ['resourceVersion=1&resourceVersio%6e=2', 'resourceVersion must be given once'],
    ['resourceVersion=1&keepHistory=true&keepHistory=true', 'keepHistory must be given once'],
    ['resourceVersion=1&keepHistory=true&keepHistory=false', 'keepHistory must be given once'],
    ['resourceVersion=1&keepHistory', 'keepHistory must be true or false'],
    ['resourceVersion=1&keepHistory=', 'keepHistory must be true or false'],
    ['resourceVersion=1&keepHistory=TRUE', 'keepHistory must be true or false'],
    ['resourceVersion=1&keepHistory=1', 'keepHistory must be true or false'],
    ['resourceVersion=1&keepHistory=true%20', 'keepHistory must be true or false'],
    ['resourceVersion=1&keepHistory=yes', 'keepHistory must be true or false'],
    ['resourceVersion=1&keepHistory=true&archive=', 'archive must be true or false'],
    ['resourceVersion=1&keepHistory=true&archive=true&archive=true', 'archive must be given once'],
    ['resourceVersion=1&archive=true', 'archive=true needs keepHistory=true'],
  ])('%j is refused', (query, message) => {
    expect(() => parse(query)).toThrow(expect.objectContaining({ code: 'invalidRequest', message }) as Error);
  });
});
