/**
 * What a terminal or a viewer does not print as it stands: C0 and C1 controls, DEL, bidi controls and other format
 * characters, line and paragraph separators, lone surrogates, and whatever else is invisible by default.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** What nearly every text is, and much quicker to tell. */
const PLAIN = /^[ -~]*$/;

export const MAX_PRINTABLE = 1_024;

/**
 * Someone else's text, fit for a log line or a terminal: what would steer either is spelled out as `\u{202e}`, and what is
 * longer than `max` characters is cut, with its whole length behind the cut. A text that needs neither is returned as it is.
 */
export function printable(text: string, max: number = MAX_PRINTABLE): string {
  const kept = text.length <= max ? text : beginning(text, max);
  const spelled = spelledOut(kept);
  if (kept.length === text.length && spelled.length <= max) return spelled;
  return `${cut(spelled, max)}… (${text.length} characters)`;
}

/** The same for what has a bound already, or must not be cut, such as the report of a command. */
export function spelledOut(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(UNPRINTABLE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Cuts not within a character that is spelled out either. */
function cut(spelled: string, max: number): string {
  return beginning(spelled, max).replace(/\\(?:u(?:\{[0-9a-f]{0,6})?)?$/, '');
}

/** The first `length` code units, or one less where that would cut a pair in two. */
function beginning(text: string, length: number): string {
  const last = text.codePointAt(length - 1) ?? 0;
  return text.slice(0, last > 0xffff ? length - 1 : length);
}
