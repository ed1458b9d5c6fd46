import { entryViolation, MAX_RULE_ENTRIES } from '../../../src/contract/access-entry.ts';

/** What a text adds to a list of groups or users. */
export interface ReadEntries {
  readonly entries: readonly string[];
  /** Why it cannot be added; then there are no entries, since half a list of names is a trap. */
  readonly problem: string | undefined;
}

/** The entries in what someone typed or pasted: a comma cannot be part of one, so it separates them. */
export function readEntries(text: string, list: readonly string[]): ReadEntries {
  const parts = text.split(/[,\n]/).filter((part) => part.trim() !== '');
  const entries = [...new Set(parts.map((part) => part.trim()))].filter((entry) => !list.includes(entry));
  const problem = parts.map(entryProblem).find((one) => one !== undefined) ?? lengthProblem(list, entries);
  return problem === undefined ? { entries, problem } : { entries: [], problem };
}

/** What is allowed as a user, and can never sign in; undefined when nothing is odd. */
export function userWarning(users: readonly string[]): string | undefined {
  const odd = users.filter((user) => !isEmail(user));
  if (odd.length === 0) return undefined;
  return `${odd.slice(0, 3).join(', ')}: not an email address, so it matches no one who signs in.`;
}

function isEmail(user: string): boolean {
  const at = user.lastIndexOf('@');
  return at > 0 && at < user.length - 1 && !/\s/.test(user);
}

function lengthProblem(list: readonly string[], entries: readonly string[]): string | undefined {
  if (list.length + entries.length <= MAX_RULE_ENTRIES) return undefined;
  return `A list has at most ${MAX_RULE_ENTRIES} entries.`;
}

function entryProblem(entry: string): string | undefined {
  const violation = entryViolation(entry);
  return violation === undefined ? undefined : `An entry ${violation}.`;
}
