import { describe, expect, it } from 'vitest';
import { hasWords, wordsOf, wordsToFind } from '../../../../src/secrets/memory/words.ts';
import { itemOf } from './items.ts';

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

  it('must each occur', () => {
    const item = itemOf('orders-db', { keys: ['Password'] });
    expect(hasWords(item, ['pass', 'db'])).toBe(true);
    expect(hasWords(item, ['pass', 'x'])).toBe(false);
    expect(hasWords(item, [])).toBe(true);
  });
});
