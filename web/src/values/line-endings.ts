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
export function toEditor(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
}

/** What a text field holds, with the line endings that the value had. */
export function fromEditor(edited: string, original: LineEndings): string {
  return original === 'crlf' ? edited.replaceAll('\n', '\r\n') : edited;
}
