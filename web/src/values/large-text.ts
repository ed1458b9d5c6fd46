const MAX_CHARACTERS = 100 * 1024;
const MAX_LINES = 2_000;
const SAMPLE_LINES = 20;
const SAMPLE_CHARACTERS = 4_000;

/** Whether a text is more than a browser's text field can hold and stay quick. */
export function isLarge(text: string): boolean {
  return text.length > MAX_CHARACTERS || lineCount(text) > MAX_LINES;
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
