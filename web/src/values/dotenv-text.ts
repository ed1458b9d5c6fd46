import type { Values } from '../api/secrets-api.ts';

/**
 * An `.env` text that is read back exactly by these pages, and as far as their own rules allow by others: what can stay
 * without quotes does, and single quotes, which nothing is interpreted in, are preferred to double ones.
 */
export function dotenvOf(values: Values): string {
  return [...values].map(([key, value]) => `${key}=${quoted(value)}\n`).join('');
}

const PLAIN = /^[A-Za-z0-9_./:@%+,=-]*$/;

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['$', '\\$'],
]);

function quoted(value: string): string {
  if (PLAIN.test(value)) return value;
  // Many readers turn every line ending into a line feed, but leave an escape as it is.
  if (!/['\r]/.test(value)) return `'${value}'`;
  return `"${value.replaceAll(/[\n\r"\\$]/g, (character) => ESCAPES.get(character) ?? character)}"`;
}
