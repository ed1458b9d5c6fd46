import { searchText } from '../contract/search-text.ts';

/** The words of a query as {@link searchText}, each once. */
export function wordsOf(query: string): readonly string[] {
  return [...new Set(searchText(query).split(/\s+/))].filter((word) => word !== '');
}

/** Those that must be looked for: a word that is part of another one occurs wherever that one does. */
export function wordsToFind(words: readonly string[]): readonly string[] {
  return words.filter((word) => !words.some((other) => other !== word && other.includes(word)));
}
