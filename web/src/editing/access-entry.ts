import { MAX_RULE_ENTRIES, MAX_RULE_ENTRY_BYTES } from '../rules/contract.ts';
import { utf8Bytes } from '../values/bytes.ts';

/** What a text adds to a list of groups or users. */
export interface ReadEntries {
  readonly entries: readonly string[];
  /** Why it cannot be added; then there are no entries, since half a list of names is a trap. */
  readonly problem: string | undefined;
}

/** The entries in what somebody typed or pasted: a comma cannot be part of one, so it separates them. */
export function readEntries(text: string, list: readonly string[]): ReadEntries {
  const parts = text.split(/[,\n]/).filter((part) => part.trim() !== '');
  const entries = [...new Set(parts.map((part) => part.trim()))].filter((entry) => !list.includes(entry));
  const problem = parts.map(entryProblem).find((one) => one !== undefined) ?? lengthProblem(list, entries);
  return problem === undefined ? { entries, problem } : { entries: [], problem };
}

function lengthProblem(list: readonly string[], entries: readonly string[]): string | undefined {
  if (list.length + entries.length <= MAX_RULE_ENTRIES) return undefined;
  return `A list has at most ${MAX_RULE_ENTRIES} entries.`;
}

function entryProblem(entry: string): string | undefined {
  if (utf8Bytes(entry) > MAX_RULE_ENTRY_BYTES) return `An entry has at most ${MAX_RULE_ENTRY_BYTES} bytes.`;
  if (!entry.isWellFormed()) return 'An entry must be valid Unicode.';
  return undefined;
}
