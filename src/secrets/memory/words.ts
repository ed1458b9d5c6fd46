/** The words of a query, in lower case, each once; a word that is part of another one adds nothing. */
export function wordsOf(query: string): readonly string[] {
  const words = [...new Set(query.toLowerCase().split(/\s+/))].filter((word) => word !== '');
  return words.filter((word) => !words.some((other) => other !== word && other.includes(word)));
}

/** @param text in lower case */
export function hasWords(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}
