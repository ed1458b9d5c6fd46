import { rulesOf, type AccessRules } from '../../../../src/contract/access-rules.ts';
import { changedLists } from '../../editing/rules.ts';
import { emailKey } from '../../../../src/contract/email.ts';

/** What a change does with the rules that a Secret has. */
export type RuleMode = 'add' | 'remove' | 'replace';

/** The rules after a change: groups are compared exactly, users as emails. */
export function changedRules(old: AccessRules, mode: RuleMode, change: AccessRules): AccessRules {
  const exact = (group: string) => group;
  return {
    ...rulesOf(old),
    allowedGroups: changedList(old.allowedGroups, mode, change.allowedGroups, exact),
    allowedUsers: changedList(old.allowedUsers, mode, change.allowedUsers, emailKey),
  };
}

export function isSameRules(left: AccessRules, right: AccessRules): boolean {
  return changedLists(left, right).length === 0;
}

function changedList(
  old: readonly string[],
  mode: RuleMode,
  change: readonly string[],
  keyOf: (entry: string) => string,
): readonly string[] {
  if (mode === 'replace') return change;
  const given = new Set(change.map(keyOf));
  if (mode === 'remove') return old.filter((entry) => !given.has(keyOf(entry)));
  const known = new Set(old.map(keyOf));
  return [...old, ...change.filter((entry) => !known.has(keyOf(entry)))];
}
