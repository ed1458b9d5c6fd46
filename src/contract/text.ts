/**
 * C0 controls without tab, LF and CR, and DEL: a value with one of these is binary. Said by what is none of them, and left to
 * the engine, which looks through 16 MiB several times as fast as a loop does.
 */
const BINARY_CONTROL = /[^\t\n\r -~\u0080-\uffff]/;

/** Whether a text holds a character that only binary values may hold. */
export function hasBinaryControl(text: string): boolean {
  return BINARY_CONTROL.test(text);
}

export type TextRule = 'unicode' | 'binaryControl';

/** The rule that a text of a request breaks; undefined when none. */
export function brokenTextRule(text: string): TextRule | undefined {
  if (!text.isWellFormed()) return 'unicode';
  return hasBinaryControl(text) ? 'binaryControl' : undefined;
}

/** `ignoreBOM` keeps a byte order mark as the text's first character instead of swallowing it. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The text that a value is, or undefined when it is binary: not valid UTF-8, or with a binary control.
 * What is returned encodes to exactly the same bytes again.
 */
export function textOf(value: Uint8Array): string | undefined {
  let text: string;
  try {
    text = decoder.decode(value);
  } catch {
    return undefined; // not valid UTF-8: the one thing that a fatal decoder throws for
  }
  return hasBinaryControl(text) ? undefined : text;
}

const encoder = new TextEncoder();

/** UTF-8 bytes of a well-formed text. */
export function bytesOf(text: string): Uint8Array {
  return encoder.encode(text);
}
