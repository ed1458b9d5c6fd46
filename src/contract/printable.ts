/**
 * Characters that a terminal or a viewer does not print: C0 and C1 controls, DEL, bidi controls and other format
 * characters, line and paragraph separators, lone surrogates, and other invisible characters.
 */
export const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Nearly every text matches this, and the check is much faster. */
const PLAIN = /^[ -~]*$/;

export const MAX_PRINTABLE = 1_024;

/**
 * Makes foreign text safe for a log line or a terminal: unprintable characters are escaped as `\u{202e}`, and a text of
 * more than `max` characters is cut, with its full length added. Other texts are returned unchanged.
 */
export function printable(text: string, max: number = MAX_PRINTABLE): string {
  const kept = text.length <= max ? text : beginning(text, max);
  const spelled = spelledOut(kept);
  if (kept.length === text.length && spelled.length <= max) return spelled;
  return `${cut(spelled, max)}… (${text.length} characters)`;
}

/** The same without a cut, for text that has a limit already or must be complete, such as the report of a command. */
export function spelledOut(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(UNPRINTABLE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Does not cut within an escape either. */
function cut(spelled: string, max: number): string {
  return beginning(spelled, max).replace(/\\(?:u(?:\{[0-9a-f]{0,6})?)?$/, '');
}

/** The first `length` code units, or one less if that would cut a surrogate pair. */
export function beginning(text: string, length: number): string {
  const last = text.codePointAt(length - 1) ?? 0;
  return text.slice(0, last > 0xffff ? length - 1 : length);
}
