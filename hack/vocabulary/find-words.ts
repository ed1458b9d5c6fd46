import { RULES, USUAL } from './table.ts';

export interface Use {
  readonly line: number;
  readonly word: string;
  readonly instead: string;
}

/** The uses of words of the table in a text, by line. A phrase may go on in the next line of a comment or a paragraph. */
export function findWords(text: string): readonly Use[] {
  const lines = text.split('\n').map(withoutUsual);
  return lines.flatMap((line, index) => {
    const next = lines[index + 1]?.replace(/^[ \t]*(?:\/\/|\/?\*+|#|-)?[ \t]*/, '') ?? '';
    return usesIn(line, next).map((use) => ({ line: index + 1, ...use }));
  });
}

/** Upgrade notes quote names of older versions, such as log events, in backticks. */
export const withoutQuotes = (text: string): string => text.replace(/`[^`\n]*`/g, '``');

function usesIn(line: string, next: string): readonly Omit<Use, 'line'>[] {
  const asWritten = { first: line, both: `${line} ${next}` };
  const first = inWords(line);
  const asWords = { first, both: `${first} ${inWords(next)}` };
  return RULES.flatMap(({ pattern, instead }) => {
    const { first: own, both } = pattern.flags.includes('i') ? asWords : asWritten;
    // To search is much cheaper than to begin a list of matches, and few lines have one.
    // oxlint-disable-next-line project/linear-pattern -- each is a literal of the table
    const matches = both.search(pattern) < 0 ? [] : [...both.matchAll(pattern)];
    return matches.filter(({ index }) => index < own.length).map(([word]) => ({ word, instead }));
  });
}

/** Splits `readTwice` and `READ_TWICE` into words. */
const inWords = (line: string): string => line.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll('_', ' ');

function withoutUsual(line: string): string {
  return USUAL.reduce((rest, { phrase }) => withoutPhrase(rest, phrase), line);
}

/** In any case, and at its place even where lower case has another length. */
function withoutPhrase(line: string, phrase: string): string {
  const lower = line.toLowerCase();
  if (lower.length !== line.length) return line;
  const wanted = phrase.toLowerCase();
  let rest = '';
  let from = 0;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    rest += `${line.slice(from, at)} `;
    from = at + wanted.length;
  }
  return rest + line.slice(from);
}
