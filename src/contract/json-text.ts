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
  const reader = new Reader(bytes);
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
class Reader {
  readonly #bytes: Uint8Array;
  // Not a Buffer: the pages use this file, too.
  readonly #decoder = new TextDecoder('latin1');
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  take(character: string): boolean {
    if (!this.isAt(character)) return false;
    this.#at++;
    return true;
  }

  takeWord(word: string): boolean {
    for (let index = 0; index < word.length; index++) {
      if (this.#bytes[this.#at + index] !== word.charCodeAt(index)) return false;
    }
    this.#at += word.length;
    return true;
  }

  skipWhitespace(): void {
    while (WHITESPACE[this.#here()] === 1) this.#at++;
  }

  isAt(character: string): boolean {
    return this.#here() === character.charCodeAt(0);
  }

  isAtEndAfterWhitespace(): boolean {
    this.skipWhitespace();
    return this.#at === this.#bytes.length;
  }

  /** A name and its colon. */
  takeName(): boolean {
    if (!this.#takeString()) return false;
    this.skipWhitespace();
    return this.take(':');
  }

  takeScalar(): boolean {
    if (this.#here() === QUOTE) return this.#takeString();
    if (DIGITS[this.#here()] === 1 || this.isAt('-')) return this.#takeNumber();
    return this.takeWord('true') || this.takeWord('false') || this.takeWord('null');
  }

  #here(): number {
    return this.#bytes[this.#at] ?? -1;
  }

  #takeString(): boolean {
    if (!this.take('"')) return false;
    for (let code = this.#here(); code >= 0x20; code = this.#here()) {
      if (code === QUOTE) {
        this.#at++;
        return true;
      }
      if (code !== BACKSLASH) this.#at++;
      else if (!this.#takeEscape()) return false;
    }
    return false;
  }

  #takeEscape(): boolean {
    this.#at++;
    if (ESCAPABLE[this.#here()] === 1) {
      this.#at++;
      return true;
    }
    if (!this.take('u')) return false;
    for (let count = 0; count < 4; count++, this.#at++) if (HEXADECIMAL[this.#here()] !== 1) return false;
    return true;
  }

  #takeNumber(): boolean {
    const start = this.#at;
    this.take('-');
    const startsWithZero = this.#here() === ZERO;
    const digits = startsWithZero ? (this.#at++, 0) : this.#takeDigits();
    if (digits === 0 && !startsWithZero) return false;
    if (this.take('.') && this.#takeDigits() === 0) return false;
    let exponent = 0;
    if (this.take('e') || this.take('E')) {
      const isNegative = !this.take('+') && this.take('-');
      const from = this.#at;
      if (this.#takeDigits() === 0) return false;
      exponent = isNegative ? 0 : this.#numberFrom(from);
    }
    return digits + exponent <= MAX_FINITE_DIGITS || Number.isFinite(this.#numberFrom(start));
  }

  #takeDigits(): number {
    const start = this.#at;
    while (DIGITS[this.#here()] === 1) this.#at++;
    return this.#at - start;
  }

  #numberFrom(start: number): number {
    return Number(this.#decoder.decode(this.#bytes.subarray(start, this.#at)));
  }
}
