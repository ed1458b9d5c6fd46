import {
  hasRules,
  includesLevel,
  levelIn,
  RULE_LISTS,
  type AccessLevel,
  type AccessRules,
  type GivenLevel,
} from '../../../src/contract/access-rules.ts';
import { changedFields } from './fields.ts';

export const NO_RULES: AccessRules = { allowedGroups: [], allowedUsers: [] };

/** The lists that differ, in whatever order their entries stand; one that is left out is empty. */
export function changedLists(before: AccessRules, after: AccessRules) {
  return changedFields(before, after, RULE_LISTS);
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

/** Whether there are rules about who manages, and none of the lists names the user, who may be an administrator. */
export function isExcluded(me: Parameters<typeof levelIn>[0], rules: AccessRules): boolean {
  return hasRules(rules) && levelIn(me, rules) === 'none';
}
