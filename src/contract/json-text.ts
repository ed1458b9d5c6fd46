import { forgetLastMatch } from './text.ts';

/** Go's limit for nested JSON. */
const MAX_DEPTH = 10_000;

const WHITESPACE = /[ \t\n\r]*/y;
/** The tokens of RFC 8259, with the white space after them, but for strings. */
const TOKEN = /(?:[{}[\]:,]|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)[ \t\n\r]*/y;
/** The parts of a string: the engine runs out of memory for a group that a pattern repeats a million times. */
const UNESCAPED = /[ !#-[\]-\uffff]*/y;
const ESCAPED = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** The characters with which a number, and any value, begins. */
const NUMBER = '-0123456789';
const VALUE = `{["tfn${NUMBER}`;

/** Undefined for what is no JSON: the message of the parser quotes the text. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/**
 * Whether the cluster accepts the bytes as a JSON object or null: RFC 8259 as Go parses it, so invalid UTF-8 and
 * duplicate names are accepted; a byte order mark, a number beyond a float64 and more than 10,000 levels are not. Each
 * byte is read once and nothing is built: parsing a mebibyte of brackets or names would take a hundred times its size
 * and time.
 */
export function isJsonObjectOrNull(bytes: Uint8Array): boolean {
  // The grammar is ASCII, whatever else there is. Not a Buffer: the pages use this file, too.
  const isValid = isObjectOrNull(new TextDecoder('latin1').decode(bytes));
  forgetLastMatch();
  return isValid;
}

function isObjectOrNull(text: string): boolean {
  /** Those of the objects and arrays around the token. */
  const closers: string[] = [];
  /** The characters with which the token may begin. */
  let expected = '{n';
  let isName = false;
  for (let at = endOf(WHITESPACE, text, 0); ;) {
    const first = text.charAt(at);
    if (first === '' || !expected.includes(first)) return false;
    at = endOfToken(text, at);
    if (at === 0) return false;
    if (first === '{' || first === '[') {
      if (closers.push(first === '{' ? '}' : ']') > MAX_DEPTH) return false;
      isName = first === '{';
      expected = isName ? '"}' : `${VALUE}]`;
    } else if (first === ',' || first === ':') {
      isName = first === ',' && closers.at(-1) === '}';
      expected = isName ? '"' : VALUE;
    } else if (first === '"' && isName) {
      expected = ':';
    } else {
      // A value has ended.
      if (first === '}' || first === ']') closers.pop();
      const closer = closers.at(-1);
      if (closer === undefined) return at === text.length;
      expected = `,${closer}`;
    }
  }
}

/** Where a token ends, with the white space after it; 0 if it is none. */
function endOfToken(text: string, at: number): number {
  const first = text.charAt(at);
  if (first === '"') return endOfString(text, at);
  const end = endOf(TOKEN, text, at);
  return NUMBER.includes(first) && !Number.isFinite(Number(text.slice(at, end))) ? 0 : end;
}

function endOfString(text: string, at: number): number {
  let end = endOf(UNESCAPED, text, at + 1);
  while (text.charAt(end) === '\\') {
    end = endOf(ESCAPED, text, end);
    if (end === 0) return 0;
    end = endOf(UNESCAPED, text, end);
  }
  return text.charAt(end) === '"' ? endOf(WHITESPACE, text, end + 1) : 0;
}

/** Where the match of a pattern at a place ends; 0 if there is none. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : 0;
}
