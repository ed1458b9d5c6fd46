import { lineEndings } from './lines.ts';

const BOM = '\uFEFF';

/** Line breaks at the end are counted by `endOf`, and carriage returns by the line endings. */
const NOTES: readonly (readonly [note: string, pattern: RegExp])[] = [
  ['begins with a BOM', /^\uFEFF/],
  ['begins with white space', /^\uFEFF?(?!\uFEFF)\s/],
  ['has lines that end in white space', /[ \t](?=\r?\n)/],
  ['ends with white space', /(?![\r\n\uFEFF])\s$/],
  ['has no-break spaces', /\u00A0/],
  ['has unusual spaces', /(?![ \u00A0])\p{Zs}/u],
  ['has zero-width characters', /[\u200B-\u200D\u2060]|(?<!^)\uFEFF/u],
  ['has invisible characters', /(?![\u200B-\u200D\u2060\uFEFF])[\p{DI}\p{Zl}\p{Zp}]/u],
  ['has control characters', /(?![\t\r\n])\p{Cc}/u],
];

/** What cannot be seen of a text by looking at it, in words that follow its size. */
export function unseenNotes(text: string): readonly string[] {
  const notes = NOTES.filter(([, pattern]) => pattern.test(text)).map(([note]) => note);
  return [...notes, ...endOf(text), ...endingsOf(text)];
}

function endOf(text: string): readonly string[] {
  let end = text.length;
  while (text[end - 1] === '\n' || text[end - 1] === '\r') end--;
  if (end === text.length) return [];
  const lines = text.slice(end).split(/\r\n|\r|\n/).length - 1;
  return [lines === 1 ? 'ends with a line break' : `ends with ${lines} line breaks`];
}

function endingsOf(text: string): readonly string[] {
  const endings = lineEndings(text);
  if (endings === 'crlf') return ['has CRLF line endings'];
  return endings === 'mixed' ? ['has mixed line endings'] : [];
}

/** How two different texts that look the same differ; undefined when the difference can be seen. */
export function unseenDifference(before: string, after: string): string | undefined {
  const without = (pattern: RegExp) => before.replaceAll(pattern, '') === after.replaceAll(pattern, '');
  if (without(/(?!\uFEFF)\s/g)) return 'differs only in white space';
  if (without(/[\s\p{DI}\p{Cc}]/gu)) return 'differs only in invisible characters';
  return undefined;
}

/** A part of a text; one that cannot be seen has something to draw in its place. */
export interface Piece {
  readonly text: string;
  readonly symbol?: string;
}

/** Blanks, the last line break, and what has no shape of its own. */
const UNSEEN = /[ \t]+|(?![\t\n])\p{Cc}|[\p{DI}\p{Zl}\p{Zp}]|(?! )\p{Zs}|\n$/gu;

/** Beyond this many the rest stays as it is: the browser has to draw them all. */
const MAX_PIECES = 4_000;

const SYMBOLS: ReadonlyMap<string, string> = new Map([
  [' ', '·'],
  ['\t', '→'],
  ['\n', '↵'],
  ['\r', 'CR'],
  ['\u00A0', 'NBSP'],
  [BOM, 'BOM'],
]);

/** The whole text in pieces, in order. */
export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  for (const { 0: unseen, index } of text.matchAll(UNSEEN)) {
    if (pieces.length > MAX_PIECES) break;
    if (isBlank(unseen) && !isAtAnEdge(text, index, index + unseen.length)) continue;
    if (index > done) pieces.push({ text: text.slice(done, index) });
    pieces.push({ text: unseen, symbol: Array.from(unseen, symbolOf).join('') });
    done = index + unseen.length;
  }
  return done < text.length ? [...pieces, { text: text.slice(done) }] : pieces;
}

const isBlank = (unseen: string): boolean => unseen.startsWith(' ') || unseen.startsWith('\t');

/** Blanks between words show by the words: only those at the beginning of the text or at the end of a line are unseen. */
function isAtAnEdge(text: string, begin: number, end: number): boolean {
  return begin === 0 || end === text.length || text[end] === '\n' || text[end] === '\r';
}

function symbolOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return SYMBOLS.get(character) ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
