import { entryViolation, MAX_RULE_ENTRIES } from '../../../src/contract/access-entry.ts';
import { isolated } from '../values/format.ts';

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
  const isTooLong = list.length + entries.length > MAX_RULE_ENTRIES;
  const tooLong = isTooLong ? `A list has at most ${MAX_RULE_ENTRIES} entries.` : undefined;
  const problem = parts.map(entryProblem).find((one) => one !== undefined) ?? tooLong;
  return problem === undefined ? { entries, problem } : { entries: [], problem };
}

/** What is allowed as a user, and can never sign in; undefined when nothing is odd. */
export function userWarning(users: readonly string[]): string | undefined {
  return warningOf(
    users.filter((user) => !isEmail(user)),
    'not an email address, so it matches no one who signs in.',
  );
}

/**
 * Groups that hardly match whom they should: the same as one of the reader's but for case or blanks, since groups
 * are compared exactly, or an email address. Undefined when nothing is odd; other groups are not known here.
 */
export function groupWarning(groups: readonly string[], mine: readonly string[]): string | undefined {
  const bySpelling = new Map(mine.map((group) => [spelling(group), group]));
  const alike = groups.find((group) => bySpelling.has(spelling(group)) && !mine.includes(group));
  if (alike !== undefined) {
    return `${isolated(alike)}: your group is called ${isolated(bySpelling.get(spelling(alike)) ?? '')}. Groups are compared letter by letter.`;
  }
  const emails = groups.filter((group) => isEmail(group) && !mine.includes(group));
  return warningOf(emails, 'an email address. Choose “person” if it is one.');
}

const NAMED = 3;

function warningOf(odd: readonly string[], warning: string): string | undefined {
  return odd.length === 0 ? undefined : `${odd.slice(0, NAMED).map(isolated).join(', ')}: ${warning}`;
}

/** The same for texts that people take for one another. */
const spelling = (group: string): string => group.toLowerCase().replaceAll(/\s/g, '');

export function isEmail(user: string): boolean {
  const at = user.lastIndexOf('@');
  return at > 0 && at < user.length - 1 && !/\s/.test(user);
}

function entryProblem(entry: string): string | undefined {
  const violation = entryViolation(entry);
  return violation && `An entry ${violation}.`;
}
