/** Go's limit for nested JSON. */
const MAX_DEPTH = 10_000;
/** The largest number has 309 digits before its point. Numbers with fewer are finite. */
const MAX_FINITE_DIGITS = 308;

const [OBJECT, ARRAY] = [1, 2];

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ZERO = 0x30;

/** A set of bytes, as a lookup table. */
function membership(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (let index = 0; index < characters.length; index++) table[characters.charCodeAt(index)] = 1;
  return table;
}
const WHITESPACE = membership(' \t\n\r');
const ESCAPABLE = membership('"\\/bfnrt');
const HEXADECIMAL = membership('0123456789abcdefABCDEF');
const DIGITS = membership('0123456789');

/**
 * Whether the cluster accepts the bytes as a JSON object or null: RFC 8259 as Go parses it, so invalid UTF-8 and
 * duplicate names are accepted; a byte order mark, a number beyond a float64 and more than 10,000 levels are not. Each
 * byte is read once and nothing is built: parsing a mebibyte of brackets or names would take a hundred times its size
 * and time.
 */
export function isJsonObjectOrNull(bytes: Uint8Array): boolean {
  const reader = createReader(bytes);
  const containers = new Uint8Array(MAX_DEPTH + 1);
  let depth = 0;
  reader.skipWhitespace();
  if (reader.takeWord('null')) return reader.isAtEndAfterWhitespace();
  if (!reader.isAt('{')) return false;
  for (;;) {
    // A value begins here.
    reader.skipWhitespace();
    const opened = reader.take('{') ? OBJECT : reader.take('[') ? ARRAY : 0;
    if (opened !== 0) {
      if (depth === MAX_DEPTH) return false;
      reader.skipWhitespace();
      if (!reader.take(opened === OBJECT ? '}' : ']')) {
        containers[++depth] = opened;
        if (opened === OBJECT && !reader.takeName()) return false;
        continue;
      }
    } else if (!reader.takeScalar()) return false;
    // A value has ended. The values around it may end, too.
    for (;;) {
      if (depth === 0) return reader.isAtEndAfterWhitespace();
      reader.skipWhitespace();
      const isObject = containers[depth] === OBJECT;
      if (reader.take(',')) {
        reader.skipWhitespace();
        if (isObject && !reader.takeName()) return false;
        break;
      }
      if (!reader.take(isObject ? '}' : ']')) return false;
      depth--;
    }
  }
}

/** A position in the bytes that only moves forward. */
function createReader(bytes: Uint8Array) {
  // Not a Buffer: the pages use this file, too.
  const decoder = new TextDecoder('latin1');
  const numberFrom = (start: number, end: number) => Number(decoder.decode(bytes.subarray(start, end)));
  let at = 0;
  const here = () => bytes[at] ?? -1;
  const isAt = (character: string): boolean => here() === character.charCodeAt(0);
  const take = (character: string): boolean => {
    if (!isAt(character)) return false;
    at++;
    return true;
  };
  const skipWhitespace = (): void => {
    while (WHITESPACE[here()] === 1) at++;
  };
  const takeDigits = (): number => {
    const start = at;
    while (DIGITS[here()] === 1) at++;
    return at - start;
  };
  const takeWord = (word: string): boolean => {
    for (let index = 0; index < word.length; index++) {
      if (bytes[at + index] !== word.charCodeAt(index)) return false;
    }
    at += word.length;
    return true;
  };
  const takeEscape = (): boolean => {
    at++;
    if (ESCAPABLE[here()] === 1) {
      at++;
      return true;
    }
    if (!take('u')) return false;
    for (let count = 0; count < 4; count++, at++) if (HEXADECIMAL[here()] !== 1) return false;
    return true;
  };
  const takeString = (): boolean => {
    if (!take('"')) return false;
    for (let code = here(); code >= 0x20; code = here()) {
      if (code === QUOTE) {
        at++;
        return true;
      }
      if (code !== BACKSLASH) at++;
      else if (!takeEscape()) return false;
    }
    return false;
  };
  const takeNumber = (): boolean => {
    const start = at;
    take('-');
    const startsWithZero = here() === ZERO;
    const digits = startsWithZero ? (at++, 0) : takeDigits();
    if (digits === 0 && !startsWithZero) return false;
    if (take('.') && takeDigits() === 0) return false;
    let exponent = 0;
    if (take('e') || take('E')) {
      const isNegative = !take('+') && take('-');
      const from = at;
      if (takeDigits() === 0) return false;
      exponent = isNegative ? 0 : numberFrom(from, at);
    }
    return digits + exponent <= MAX_FINITE_DIGITS || Number.isFinite(numberFrom(start, at));
  };
  return {
    take,
    takeWord,
    skipWhitespace,
    isAt,
    isAtEndAfterWhitespace(): boolean {
      skipWhitespace();
      return at === bytes.length;
    },
    /** A name and its colon. */
    takeName(): boolean {
      if (!takeString()) return false;
      skipWhitespace();
      return take(':');
    },
    takeScalar(): boolean {
      if (here() === QUOTE) return takeString();
      if (DIGITS[here()] === 1 || isAt('-')) return takeNumber();
      return takeWord('true') || takeWord('false') || takeWord('null');
    },
  };
}
