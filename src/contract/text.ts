import { MAX_DESCRIPTION_BYTES, MAX_NOTE_CHARACTERS } from './limits.ts';

/**
 * A value with a C0 control other than tab, LF and CR, or with DEL, is binary. The pattern excludes all other
 * characters, because the engine scans 16 MiB of them several times as fast as a loop.
 */
const BINARY_CONTROL = /[^\t\n\r -~\u0080-\uffff]/;
/** Any control character, tab, LF, CR and C1 controls among them. */
const CONTROL = /[^ -~\u00a0-\uffff]/;
const NOTHING = /^$/;

/** Whether a text contains a character that only binary values may contain. */
export function hasBinaryControl(text: string): boolean {
  const found = BINARY_CONTROL.test(text);
  if (found) forgetLastMatch();
  return found;
}

/** The engine keeps the text of the last match of any pattern in memory, and it may be a value. */
export function forgetLastMatch(): void {
  NOTHING.test('');
}

export type TextRule = 'unicode' | 'binaryControl';

/** The rule that a text of a request breaks; undefined if none. */
export function brokenTextRule(text: string): TextRule | undefined {
  if (!text.isWellFormed()) return 'unicode';
  return hasBinaryControl(text) ? 'binaryControl' : undefined;
}

const TEXT_RULES: Readonly<Record<TextRule, string>> = {
  unicode: 'must be valid Unicode',
  binaryControl: 'must not contain binary control characters',
};

/** What is wrong with a text of a request, in words that follow the name of its field; undefined if nothing. */
export function textViolation(text: string): string | undefined {
  const rule = brokenTextRule(text);
  return rule && TEXT_RULES[rule];
}

/** Likewise for a description, which is also limited. */
export function descriptionViolation(text: string): string | undefined {
  // No character has fewer bytes than one, so a huge text is not encoded.
  const isTooLong = text.length > MAX_DESCRIPTION_BYTES || bytesOf(text).byteLength > MAX_DESCRIPTION_BYTES;
  return isTooLong ? 'must be at most 4 KiB (4,096 bytes of UTF-8)' : textViolation(text);
}

/** Likewise for the note on a change, which is one line. */
export function noteViolation(text: string): string | undefined {
  // A character has at most two code units, so a huge text is not split.
  const isTooLong = text.length > 2 * MAX_NOTE_CHARACTERS || Array.from(text).length > MAX_NOTE_CHARACTERS;
  return isTooLong ? `must be at most ${MAX_NOTE_CHARACTERS} characters` : lineViolation(text);
}

/** Likewise for any text of one line. */
export function lineViolation(text: string): string | undefined {
  if (!text.isWellFormed()) return TEXT_RULES.unicode;
  return CONTROL.test(text) ? 'must not contain control characters' : undefined;
}

/** `ignoreBOM` keeps a byte order mark as the text's first character. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The text of a value, or undefined if it is binary: not valid UTF-8, or with a binary control. The text encodes to
 * exactly the same bytes.
 */
export function textOf(value: Uint8Array): string | undefined {
  let text = '';
  try {
    if (value.byteLength > 0) text = decoder.decode(value);
  } catch {
    return undefined; // Not valid UTF-8: the only error of a fatal decoder.
  }
  return hasBinaryControl(text) ? undefined : text;
}

const encoder = new TextEncoder();
const ELLIPSIS = '…';
/** Of a UTF-16 code unit, in UTF-8. */
const MOST_BYTES_EACH = 3;

/**
 * A description for lists. A write may have no longer one; one from elsewhere is cut between two characters, and only a
 * read of the Secret has all of it. What was cut off is not kept in memory.
 */
export function shortDescription(description: string): string {
  const isShort = description.length * MOST_BYTES_EACH <= MAX_DESCRIPTION_BYTES;
  if (isShort || bytesOf(description).byteLength <= MAX_DESCRIPTION_BYTES) return description;
  const kept = new Uint8Array(MAX_DESCRIPTION_BYTES - bytesOf(ELLIPSIS).byteLength);
  const { written } = encoder.encodeInto(description, kept);
  return decoder.decode(kept.subarray(0, written)) + ELLIPSIS;
}

/** UTF-8 bytes of a well-formed text. */
export function bytesOf(text: string): Uint8Array {
  return encoder.encode(text);
}

/** @throws {Error} when the text has other characters than those of base64 and white space */
export function bytesOfBase64(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
