import {
  includesLevel,
  RULE_LISTS,
  type AccessLevel,
  type AccessRules,
  type GivenLevel,
  type RuleList,
} from '../../../src/contract/access-rules.ts';
import { sameList } from './changes.ts';

export const NO_RULES: AccessRules = { allowedGroups: [], allowedUsers: [] };

/** What the pages call each list. */
export const RULE_LABELS: Readonly<Record<RuleList, string>> = {
  allowedGroups: 'Groups that can manage',
  allowedUsers: 'Users that can manage',
  writerGroups: 'Groups that can write',
  writerUsers: 'Users that can write',
  readerGroups: 'Groups that can read',
  readerUsers: 'Users that can read',
};

/** The lists that differ, in whatever order their entries stand; one that is left out is empty. */
export function changedLists(before: AccessRules, after: AccessRules): readonly RuleList[] {
  const sorted = (rules: AccessRules, list: RuleList) => [...(rules[list] ?? [])].sort();
  return RULE_LISTS.filter((list) => !sameList(sorted(before, list), sorted(after, list)));
}

/** Everyone whom the rules name, whatever their level. */
export function entriesOf(rules: AccessRules): readonly string[] {
  return RULE_LISTS.flatMap((list) => rules[list] ?? []);
}

/**
 * Whether something that needs a level is offered. While the level is not known it is: the service has the last word, and
 * names the level that is missing.
 */
export function allows(level: GivenLevel | undefined, wanted: AccessLevel): boolean {
  return level === undefined || includesLevel(level, wanted);
}
