/** Far more than any body of this API has. The parser's cost grows with each level and each of these characters. */
export const MAX_JSON_DEPTH = 64;
export const MAX_STRUCTURAL_CHARACTERS = 200_000;
/**
 * The parser decodes a string in one turn of the event loop, and an escape costs it several times what a plain
 * character does. Each represents at least one byte, and no body with two million bytes of values is accepted.
 */
export const MAX_ESCAPES = 3_000_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** What a byte outside of strings does. All other bytes have no effect. */
const OPENS = 1;
const CLOSES = 2;
const SEPARATES = 3;
const STARTS_STRING = 4;
const EFFECTS = new Uint8Array(256);
for (const character of '{[') EFFECTS[character.charCodeAt(0)] = OPENS;
for (const character of '}]') EFFECTS[character.charCodeAt(0)] = CLOSES;
for (const character of ':,') EFFECTS[character.charCodeAt(0)] = SEPARATES;
EFFECTS[QUOTE] = STARTS_STRING;

/**
 * Counts the structural characters `{ } [ ] : ,` outside of strings, their depth, and the escapes in strings, while the bytes of
 * a JSON text arrive.
 * All of them are ASCII, so UTF-8 needs no decoding for it.
 */
export function createStructureScanner() {
  const state = { depth: 0, characters: 0, escapes: 0, inString: false, isEscaped: false };
  return {
    /** Scans the next bytes; false once the text is over a limit. Invalid JSON is left to the parser. */
    isWithinLimits(bytes: Uint8Array): boolean {
      // Local copies and no iterator: this loop sees every byte of every body, and either would cost twice as much.
      let { depth, characters, escapes, inString, isEscaped } = state;
      let at = 0;
      while (at < bytes.length) {
        const byte = bytes[at++] ?? 0;
        if (inString) {
          if (isEscaped) isEscaped = false;
          else if (byte === BACKSLASH) {
            isEscaped = true;
            escapes++;
          } else if (byte === QUOTE) inString = false;
          continue;
        }
        const effect = EFFECTS[byte] ?? 0;
        if (effect === 0) continue;
        if (effect === STARTS_STRING) {
          inString = true;
          continue;
        }
        characters++;
        if (effect === OPENS) depth++;
        else if (effect === CLOSES && depth > 0) depth--;
        if (depth > MAX_JSON_DEPTH || characters > MAX_STRUCTURAL_CHARACTERS) return false;
      }
      Object.assign(state, { depth, characters, escapes, inString, isEscaped });
      return escapes <= MAX_ESCAPES;
    },
  };
}
