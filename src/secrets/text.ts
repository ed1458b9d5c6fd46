/** C0 controls without tab, LF and CR, and DEL: a value with one of these is binary. */
const isBinaryControl = (code: number): boolean =>
  code <= 0x08 || code === 0x0b || code === 0x0c || (code >= 0x0e && code <= 0x1f) || code === 0x7f;

/** Whether a text holds a character that only binary values may hold. */
export function hasBinaryControl(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (isBinaryControl(text.charCodeAt(index))) return true;
  }
  return false;
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
