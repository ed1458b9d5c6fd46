import { parseDotenv, type Dotenv } from './dotenv.ts';

export interface ImportText extends Dotenv {
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
