import type { AccessRules } from '../../../../src/contract/access-rules.ts';
import { changedLists } from '../../editing/rules.ts';
import { allLists, sharesOf, withLevel, withShares, type AllLists } from '../../editing/sharing.ts';

/** What a change does with the rules that a Secret has. */
export type RuleMode = 'add' | 'remove' | 'replace';

export function changedRules(old: AccessRules, mode: RuleMode, change: AccessRules): AllLists {
  if (mode === 'replace') return allLists(change);
  const shares = sharesOf(change);
  if (mode === 'add') return withShares(old, shares);
  return shares.reduce((lists, share) => withLevel(lists, share, 'none'), allLists(old));
}

export function isSameRules(left: AccessRules, right: AccessRules): boolean {
  return changedLists(left, right).length === 0;
}
