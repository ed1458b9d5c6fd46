/** Deeper than people read; the indentation of a hostile text would outgrow it. */
const MAX_DEPTH = 64;

/**
 * A JSON object or array with one entry per line. Only white space between the tokens changes: numbers, the order
 * of keys and keys that are there twice stay as they are stored. Undefined for any other text.
 */
export function formatJson(text: string): string | undefined {
  if (!isObjectOrArray(text)) return undefined;
  const tokens = tokensOf(text);
  let depth = 0;
  const newLine = () => `\n${'  '.repeat(depth)}`;
  const parts: string[] = [];
  for (const [index, token] of tokens.entries()) {
    const last = tokens[index - 1] ?? '';
    if (isClosing(token)) depth -= 1;
    const breaks = isClosing(token) ? !isOpening(last) : isOpening(last) || last === ',';
    parts.push(breaks ? newLine() : last === ':' ? ' ' : '', token);
    if (isOpening(token)) depth += 1;
    if (depth > MAX_DEPTH) return undefined;
  }
  return parts.join('');
}

/** Whether a text is JSON with something to lay out. */
export function isObjectOrArray(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // shown as plain text
  }
}

/** Of a valid text: brackets, colons, commas, strings, and other scalars. */
function tokensOf(text: string): readonly string[] {
  const tokens: string[] = [];
  const token = /[[\]{},:"]|[^[\]{},:"\s]+/g;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    if (match[0] === '"') token.lastIndex = endOfString(text, match.index);
    tokens.push(text.slice(match.index, token.lastIndex));
  }
  return tokens;
}

/** By hand: a pattern with escapes needs more stack than a long string has. */
function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index + 1;
}

const isOpening = (token: string): boolean => token === '{' || token === '[';

const isClosing = (token: string): boolean => token === '}' || token === ']';
