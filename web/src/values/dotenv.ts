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

const ASSIGNMENT = /^\s*(?:export\s+)?([A-Za-z0-9._-]+)\s*=\s*(.*)$/;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/**
 * Reads an `.env` text: `KEY=value`, `export`, comments, single quotes as they are, double quotes with
 * escapes; quoted values may span lines. The last assignment of a key wins. Nothing is substituted.
 */
export function parseDotenv(text: string): Dotenv {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const entries = new Map<string, string>();
  const unreadLines: number[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue;
    const [, key, raw = ''] = ASSIGNMENT.exec(line) ?? [];
    const read = key === undefined ? undefined : readValue(raw, lines.slice(index + 1));
    if (key === undefined || read === undefined) unreadLines.push(index + 1);
    else {
      entries.delete(key);
      entries.set(key, read.value);
      index += read.moreLines;
    }
  }
  return { entries: [...entries].map(([key, value]) => ({ key, value })), unreadLines };
}

function readValue(
  raw: string,
  following: readonly string[],
): { readonly value: string; readonly moreLines: number } | undefined {
  const quote = raw[0];
  if (quote !== '"' && quote !== "'") return { value: raw.replace(/\s+#.*$/, '').trim(), moreLines: 0 };
  const rest = [raw.slice(1), ...following].join('\n');
  const body = (quote === '"' ? /^((?:[^"\\]|\\[^])*)"/ : /^([^']*)'/).exec(rest)?.[1];
  if (body === undefined) return undefined;
  const value =
    quote === "'" ? body : body.replaceAll(/\\([^])/g, (_match, next: string) => ESCAPES.get(next) ?? next);
  return { value, moreLines: body.split('\n').length - 1 };
}
