/**
 * A media type as a `Content-Type` field has it (RFC 9110, section 8.3.1), in lower case where the grammar ignores
 * case.
 */
export interface MediaType {
  /** `type/subtype`. */
  readonly essence: string;
  /** In the order in which they were given; a name may be given twice. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

/** Longer than every content type in use. A longer one is not parsed. */
export const MAX_CONTENT_TYPE_CHARACTERS = 200;

/**
 * Parses a content type in one pass.
 * @returns undefined when it is too long, or when it or one of its parameters does not follow the grammar
 */
export function parseMediaType(text: string): MediaType | undefined {
  if (text.length > MAX_CONTENT_TYPE_CHARACTERS) return undefined;
  const reader = createReader(text);
  reader.skipWhitespace();
  const type = reader.token();
  const subtype = reader.take('/') ? reader.token() : '';
  if (type === '' || subtype === '') return undefined;
  const parameters: (readonly [string, string])[] = [];
  reader.skipWhitespace();
  while (!reader.isAtEnd()) {
    if (!reader.take(';')) return undefined;
    reader.skipWhitespace();
    // A parameter may be empty (section 5.6.6).
    if (reader.isAt(';') || reader.isAtEnd()) continue;
    const name = reader.token();
    if (name === '' || !reader.take('=')) return undefined;
    const value = reader.isAt('"') ? reader.quotedString() : reader.token();
    if (value === undefined || (value === '' && !reader.isAfterQuote())) return undefined;
    parameters.push([name.toLowerCase(), value]);
    reader.skipWhitespace();
  }
  return { essence: `${type}/${subtype}`.toLowerCase(), parameters };
}

/** RFC 9110, section 5.6.2. */
const TOKEN_CHARACTER = /^[!#$%&'*+.^_`|~0-9A-Za-z-]$/;
/** What a quoted string may contain, as itself and after a backslash (section 5.6.4). */
const QUOTED_CHARACTER = /^[\t \x21\x23-\x5b\x5d-\x7e\x80-\xff]$/;
const ESCAPED_CHARACTER = /^[\t \x21-\x7e\x80-\xff]$/;

/** A position in a text that only moves forward. */
function createReader(text: string) {
  let at = 0;
  const here = () => text.charAt(at);
  const skipWhile = (isPart: (character: string) => boolean): string => {
    const start = at;
    while (at < text.length && isPart(here())) at++;
    return text.slice(start, at);
  };
  return {
    isAtEnd: () => at >= text.length,
    isAt: (character: string) => here() === character,
    isAfterQuote: () => text.charAt(at - 1) === '"',
    take(character: string): boolean {
      if (here() !== character) return false;
      at++;
      return true;
    },
    skipWhitespace: () => skipWhile((character) => character === ' ' || character === '\t'),
    token: () => skipWhile((character) => TOKEN_CHARACTER.test(character)),
    /** The text between the quotes, unescaped; undefined when it does not end. */
    quotedString(): string | undefined {
      let value = '';
      for (at++; !(at >= text.length); at++) {
        if (here() === '"') {
          at++;
          return value;
        }
        const isEscape = here() === '\\';
        if (isEscape) at++;
        if (!(isEscape ? ESCAPED_CHARACTER : QUOTED_CHARACTER).test(here())) return undefined;
        value += here();
      }
      return undefined;
    },
  };
}
