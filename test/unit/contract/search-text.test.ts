import { describe, expect, it } from 'vitest';
import { searchText } from '../../../src/contract/search-text.ts';

describe('a text as searches compare it', () => {
  it.each([
    ['Orders DB', 'orders db'],
    ['ÄRGER Straße', 'ärger straße'],
    ['ΟΔΟΣ', 'οδος'],
  ])('ignores the case of %j', (text, other) => {
    expect(searchText(text)).toBe(searchText(other));
  });

  it('has the beginning of a word as the word begins', () => {
    const word = 'ΔΗΜΟΣΙΟ';
    for (let end = 1; end <= word.length; end++) {
      expect(searchText(word).startsWith(searchText(word.slice(0, end)))).toBe(true);
    }
  });
});
