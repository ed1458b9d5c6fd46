import { MAX_RULE_ENTRIES, MAX_RULE_ENTRY_BYTES } from '../rules/contract.ts';
import { utf8Bytes } from '../values/bytes.ts';

/** Why an entry cannot join a list of groups or users, or undefined. */
export function entryProblem(entry: string, list: readonly string[]): string | undefined {
  if (list.length >= MAX_RULE_ENTRIES) return `A list has at most ${MAX_RULE_ENTRIES} entries.`;
  if (entry.trim() === '') return 'An entry must not be blank.';
  if (entry.includes(',')) return 'An entry must not contain a comma.';
  if (utf8Bytes(entry) > MAX_RULE_ENTRY_BYTES) return `An entry has at most ${MAX_RULE_ENTRY_BYTES} bytes.`;
  if (!entry.isWellFormed()) return 'An entry must be valid Unicode.';
  return undefined;
}
