/** How a language writes what JSON has no word of its own for. */
export interface Words {
  readonly true: string;
  readonly false: string;
}

export const JSON_WORDS: Words = { true: 'true', false: 'false' };

/** A value as JSON, with a space after each comma and colon. */
export function literal(value: unknown, words: Words = JSON_WORDS): string {
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, words)).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([key, item]) => `${JSON.stringify(key)}: ${literal(item, words)}`,
    );
    return `{${members.join(', ')}}`;
  }
  return typeof value === 'boolean' ? words[`${value}`] : JSON.stringify(value);
}
