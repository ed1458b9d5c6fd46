import type { Choices } from '../random.ts';

/** A query of search and of pages, of these words, in number and length from one to far too many. */
export function anyQuery({ pick, chance }: Choices, words: readonly string[]): string {
  const count = pick([1, 2, 16, 16, 17, 128, 200]);
  const separator = pick([' ', '  ', '\u3000', '\n']);
  const given = Array.from({ length: count }, () => (chance(0.95) ? pick(words) : pick(HARD_WORDS)));
  const text = given.join(separator);
  // Mostly within what a query may have, so that it is looked for.
  return chance(0.8) ? text.slice(0, 256) : text.slice(0, 3_000);
}

const HARD_WORDS = [
  '',
  'İ',
  'i̇',
  '\u0301',
  'ﬃ',
  '🙂',
  '\u{1e900}',
  'x'.repeat(100),
  '"',
  '\\',
  '%',
  '.*',
  '(a+)+$',
];
