/** Entries of a list of allowed groups or users, as service and pages check them alike. */

export const MAX_RULE_ENTRIES = 256;
export const MAX_RULE_ENTRY_BYTES = 256;

const encoder = new TextEncoder();

/**
 * Checks named by the violation, in order. Whitespace around an entry is trimmed, including line breaks and tabs;
 * within an entry these are control characters. Format characters and line separators are accepted: the provider names
 * the groups, and joiners belong to the spelling of some languages.
 */
const ENTRY_CHECKS: readonly (readonly [violation: string, isViolated: (entry: string) => boolean])[] = [
  ['must be valid Unicode', (entry) => !entry.isWellFormed()],
  [
    `must be at most ${MAX_RULE_ENTRY_BYTES} bytes long in UTF-8, surrounding whitespace included`,
    (entry) => encoder.encode(entry).byteLength > MAX_RULE_ENTRY_BYTES,
  ],
  ['must not contain a comma', (entry) => entry.includes(',')],
  ['must not be empty or blank', (entry) => entry.trim() === ''],
  ['must not contain control characters', (entry) => /\p{Cc}/u.test(entry.trim())],
];

/** The rule that an entry breaks, as the continuation of "an entry"; undefined if none. */
export function entryViolation(entry: string): string | undefined {
  return ENTRY_CHECKS.find(([, isViolated]) => isViolated(entry))?.[0];
}
