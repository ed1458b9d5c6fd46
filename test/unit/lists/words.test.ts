import { describe, expect, it } from 'vitest';
import { wordsOf, wordsToFind } from '../../../src/lists/matches.ts';

describe('the words of a query', () => {
  it.each([
    ['', []],
    [' \t\n\u00a0 ', []],
    ['Orders  DB', ['orders', 'db']],
    ['a a A', ['a']],
    ['or orders', ['or', 'orders']],
    ['ÄRGER', ['ärger']],
    ['ΔΗΜΟΣ', ['δημοσ']],
  ])('%j', (query, words) => {
    expect(wordsOf(query)).toEqual(words);
  });

  it('are looked for only where they are no part of another one', () => {
    expect(wordsToFind(['or', 'orders', 'db', 'orde'])).toEqual(['orders', 'db']);
    expect(wordsToFind(['orders', 'or'])).toEqual(['orders']);
  });
});
