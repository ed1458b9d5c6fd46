import type { Values } from '../api/secrets-api.ts';

/** One assignment of an `.env` text. */
export interface DotenvEntry {
  readonly key: string;
  readonly value: string;
}

export interface Dotenv {
  readonly entries: readonly DotenvEntry[];
  /** Numbers of the lines, from 1, that are neither assignment, comment nor blank. */
  readonly unreadLines: readonly number[];
}

/** Longer texts are not read: all values of a Secret together have less than half of this. */
export const MAX_DOTENV_CHARACTERS = 2 * 1024 * 1024;

// Sticky, and each bounded by its line: what a text costs to read grows with its length and no faster.
const BLANK_OR_COMMENT = /[^\S\n]*(?:#[^\n]*)?(?=\n|$)/y;
const ASSIGNMENT = /[^\S\n]*(?:export[^\S\n]+)?([A-Za-z0-9._-]+)[^\S\n]*=[^\S\n]*/y;
const AFTER_QUOTE = /[^\S\n]*(?:(?<=\s)#[^\n]*)?(?=\n|$)/y;

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['"', '"'],
  ['\\', '\\'],
  ['$', '$'],
]);

/** A value, and where the rest of the text begins. */
interface Read {
  readonly value: string;
  readonly end: number;
}

/**
 * Reads an `.env` text: `KEY=value`, `export`, comments, quotes. Single quotes and backticks keep everything,
 * double quotes know a few escapes; quoted values may span lines, and keep their line endings. The last
 * assignment of a key wins. Nothing is substituted.
 */
export function parseDotenv(text: string): Dotenv {
  const entries = new Map<string, string>();
  const unreadLines: number[] = [];
  let line = 1;
  // A BOM is not part of the first key.
  for (let at = text.startsWith('\uFEFF') ? 1 : 0; at < text.length;) {
    const assignment = matchAt(BLANK_OR_COMMENT, text, at) ? undefined : matchAt(ASSIGNMENT, text, at);
    const [, key = ''] = assignment ?? [];
    const read = assignment && readValue(text, at + assignment[0].length);
    if (read !== undefined) {
      entries.delete(key);
      entries.set(key, read.value);
    } else if (!matchAt(BLANK_OR_COMMENT, text, at)) unreadLines.push(line);
    const end = endOfLine(text, read?.end ?? at);
    line += linesIn(text, at, end) + 1;
    at = end + 1;
  }
  return { entries: [...entries].map(([key, value]) => ({ key, value })), unreadLines };
}

function readValue(text: string, at: number): Read | undefined {
  const quote = text[at];
  if (quote === '"' || quote === "'" || quote === '`') return readQuoted(text, at + 1, quote);
  const end = endOfLine(text, at);
  // With the character before it, since a blank there makes a comment of a hash: `A= # nothing`, but `A=#fff`.
  const rest = text.slice(at - 1, end);
  return { value: rest.slice(1, /\s#/.exec(rest)?.index).trim(), end };
}

/** Undefined when the quote never ends, or when more than a comment follows it. */
function readQuoted(text: string, start: number, quote: string): Read | undefined {
  const end = endOfQuote(text, start, quote);
  if (end === undefined || !matchAt(AFTER_QUOTE, text, end + 1)) return undefined;
  const body = text.slice(start, end);
  return { value: quote === '"' ? unescape(body) : body, end: end + 1 };
}

function endOfQuote(text: string, start: number, quote: string): number | undefined {
  for (let at = start; at < text.length; at++) {
    if (text[at] === quote) return at;
    if (quote === '"' && text[at] === '\\') at++;
  }
  return undefined;
}

/** Other backslashes stay: they belong to patterns and to paths of Windows. */
function unescape(body: string): string {
  return body.replaceAll(/\\([nrt"\\$])/g, (_match, next: string) => ESCAPES.get(next) ?? next);
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

function linesIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

interface ImportText extends Dotenv {
  /** Keys of a JSON object whose values are no texts. */
  readonly leftOut: readonly string[];
}

/** Reads an `.env` text, or a JSON object with a text for each key. */
export function parseImport(text: string): ImportText {
  const object = objectOf(text);
  if (object === undefined) return { ...parseDotenv(text), leftOut: [] };
  const all = Object.entries(object).map(([key, value]) => ({ key, value: textOf(value) }));
  return {
    entries: all.flatMap(({ key, value }) => (value === undefined ? [] : [{ key, value }])),
    unreadLines: [],
    leftOut: all.filter(({ value }) => value === undefined).map(({ key }) => key),
  };
}

/** A number that is not read exactly is no text, and nor is an object, of which the original layout is lost. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'boolean' || Number.isSafeInteger(value) ? String(value) : undefined;
}

function objectOf(text: string): object | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
  } catch {
    return undefined; // its lines are reported as not understood
  }
}

/**
 * An `.env` text that is read back exactly by these pages, and as far as their own rules allow by others: what can stay
 * without quotes does, and single quotes, which nothing is interpreted in, are preferred to double ones.
 */
export function dotenvOf(values: Values): string {
  return [...values].map(([key, value]) => `${key}=${quoted(value)}\n`).join('');
}

const PLAIN = /^[A-Za-z0-9_./:@%+,=-]*$/;

function quoted(value: string): string {
  if (PLAIN.test(value)) return value;
  // Many readers turn every line ending into a line feed, but leave an escape as it is.
  if (!/['\r]/.test(value)) return `'${value}'`;
  return `"${value.replaceAll(/[\n\r"\\$]/g, escaped)}"`;
}

function escaped(character: string): string {
  const letter = [...ESCAPES].find(([, meant]) => meant === character)?.[0] ?? character;
  return `\\${letter}`;
}
