/** More than these a browser neither draws nor edits at once. */
const MAX_LINES = 2_000;
const MAX_EDITED_CHARACTERS = 100 * 1024;
const MAX_DRAWN_CHARACTERS = 100_000;
const SAMPLE_LINES = 20;
const SAMPLE_CHARACTERS = 4_000;

/** Whether a text is more than a browser's text field can hold and stay quick. */
export function isLarge(text: string): boolean {
  return text.length > MAX_EDITED_CHARACTERS || lineCount(text) > MAX_LINES;
}

/** Lines as people count them: a line end at the end begins no other. */
export function lineCount(text: string): number {
  const ends = text.match(/\r\n|\n|\r/g)?.length ?? 0;
  return text === '' || /[\r\n]$/.test(text) ? ends : ends + 1;
}

/** Enough of a long text to recognize it by. */
export function beginningOf(text: string): string {
  return text.slice(0, SAMPLE_CHARACTERS).split('\n', SAMPLE_LINES).join('\n');
}

/** The beginning of a text that is too long to be drawn at once; otherwise the text itself. */
export function excerptOf(text: string): string {
  const lines = text.split('\n', MAX_LINES).join('\n');
  // The line break at the cut stays out: it is not where the text ends.
  const excerpt = lines.length >= text.length - 1 ? text : lines;
  // Half of a character would be drawn as a character that is not there.
  return excerpt.slice(0, MAX_DRAWN_CHARACTERS).replace(/[\ud800-\udbff]$/, '');
}

/** Whether a comparison of lines says more than both values side by side. */
export function hasLines(before: string | undefined, after: string | undefined): boolean {
  return before !== undefined && after !== undefined && (before.includes('\n') || after.includes('\n'));
}

export type LineEndings = 'none' | 'lf' | 'crlf' | 'mixed';

/** How the lines of a value end. A text field has line feeds only, so an editor has to check first. */
export function lineEndings(text: string): LineEndings {
  const crlf = text.split('\r\n').length - 1;
  const returns = text.split('\r').length - 1;
  const feeds = text.split('\n').length - 1;
  if (returns === 0) return feeds === 0 ? 'none' : 'lf';
  return returns === crlf && feeds === crlf ? 'crlf' : 'mixed';
}

/** A value as a text field shows it. */
export const toEditor = (text: string): string => text.replaceAll('\r\n', '\n').replaceAll('\r', '\n');

/** What a text field holds, with the line endings that the value had. */
export function fromEditor(edited: string, original: LineEndings): string {
  return original === 'crlf' ? edited.replaceAll('\n', '\r\n') : edited;
}
