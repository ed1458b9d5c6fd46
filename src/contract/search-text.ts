/**
 * A text as searches compare it, ignoring case. In lower case a capital sigma depends on its place in the word, so that
 * the beginning of a word would not be found in it.
 */
export function searchText(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

/** Words of one query. Each of them is looked for in every Secret. */
export const MAX_QUERY_WORDS = 16;
