import { describe, expect, it } from 'vitest';
import { hasWords, wordsOf } from '../../../../src/secrets/memory/words.ts';

describe('the words of a query', () => {
  it.each([
    ['', []],
    [' \t\n\u00a0 ', []],
    ['Orders  DB', ['orders', 'db']],
    ['a a A', ['a']],
    ['or orders', ['orders']],
    ['orders or', ['orders']],
    ['ÄRGER', ['ärger']],
  ])('%j', (query, words) => {
    expect(wordsOf(query)).toEqual(words);
  });

  it('must each occur', () => {
    expect(hasWords('orders-db\npassword', ['pass', 'db'])).toBe(true);
    expect(hasWords('orders-db\npassword', ['pass', 'x'])).toBe(false);
    expect(hasWords('anything', [])).toBe(true);
  });
});
