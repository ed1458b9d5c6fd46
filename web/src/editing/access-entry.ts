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
  return odd.length === 0
    ? undefined
    : `${odd.slice(0, NAMED).join(', ')}: not an email address, so it matches no one who signs in.`;
}

/**
 * Groups that hardly match whom they should: the same as one of the reader's but for case or blanks, since groups
 * are compared exactly, or an email address. Undefined when nothing is odd; other groups are not known here.
 */
export function groupWarning(groups: readonly string[], mine: readonly string[]): string | undefined {
  const bySpelling = new Map(mine.map((group) => [spelling(group), group]));
  for (const group of groups) {
    const own = bySpelling.get(spelling(group));
    if (own !== undefined && !mine.includes(group)) {
      return `${group}: your group is called ${own}. Groups are compared letter by letter.`;
    }
  }
  const emails = groups.filter((group) => isEmail(group) && !mine.includes(group));
  return emails.length === 0
    ? undefined
    : `${emails.slice(0, NAMED).join(', ')}: an email address. Choose “person” if it is one.`;
}

/** What may be meant by what is typed, of what is known and not in the list yet. */
export function suggestedEntries(
  text: string,
  entries: readonly string[],
  known: readonly string[],
): readonly string[] {
  const typed = text.trim().toLowerCase();
  const open = known.filter((one) => !entries.includes(one) && entryViolation(one) === undefined);
  return open.filter((one) => one.toLowerCase().includes(typed)).slice(0, SUGGESTED);
}

const NAMED = 3;
const SUGGESTED = 8;

/** The same for texts that people take for one another. */
function spelling(group: string): string {
  return group.toLowerCase().replaceAll(/\s/g, '');
}

export function isEmail(user: string): boolean {
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
