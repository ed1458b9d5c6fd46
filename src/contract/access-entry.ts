/** Entries of a list of allowed groups or users, as service and pages check them alike. */

export const MAX_RULE_ENTRIES = 256;
export const MAX_RULE_ENTRY_BYTES = 256;

type EntryCheck = (entry: string) => boolean;

const encoder = new TextEncoder();

/**
 * Named by the violation, in the order in which they are looked for. Whitespace around an entry is trimmed, line breaks
 * and tabs included; within one, these are control characters like any other. Format characters and line separators are
 * not refused: names of groups are the provider's, and joiners belong to the spelling of some languages.
 */
const ENTRY_CHECKS: readonly (readonly [violation: string, isViolated: EntryCheck])[] = [
  ['must be valid Unicode', (entry) => !entry.isWellFormed()],
  [
    `must be at most ${MAX_RULE_ENTRY_BYTES} bytes long in UTF-8, surrounding whitespace included`,
    (entry) => encoder.encode(entry).byteLength > MAX_RULE_ENTRY_BYTES,
  ],
  ['must not contain a comma', (entry) => entry.includes(',')],
  ['must not be empty or blank', (entry) => entry.trim() === ''],
  ['must not contain control characters', (entry) => /\p{Cc}/u.test(entry.trim())],
];

/** The rule that an entry breaks, in words that follow "an entry"; undefined when none. */
export function entryViolation(entry: string): string | undefined {
  return ENTRY_CHECKS.find(([, isViolated]) => isViolated(entry))?.[0];
}
