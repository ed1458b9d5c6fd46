/** What a browser draws at once. */
const MAX_LINES = 2_000;
const MAX_CHARACTERS = 100_000;

/** The beginning of a text that is too long to be drawn at once; otherwise the text itself. */
export function excerptOf(text: string): string {
  let end = -1;
  for (let line = 0; line < MAX_LINES; line++) {
    end = text.indexOf('\n', end + 1);
    if (end === -1) break;
  }
  // The line break at the cut stays out: it is not where the text ends.
  const excerpt = end === -1 || end === text.length - 1 ? text : text.slice(0, end);
  if (excerpt.length <= MAX_CHARACTERS) return excerpt;
  // Half of a character would be drawn as a character that is not there.
  const high = text.charCodeAt(MAX_CHARACTERS - 1);
  return text.slice(0, high >= 0xd800 && high < 0xdc00 ? MAX_CHARACTERS - 1 : MAX_CHARACTERS);
}

/** Lines as people count them: a line break at the end begins none. */
export function linesOf(text: string): number {
  return text.replace(/\n$/, '').split('\n').length;
}
