import type { SessionUser } from '../api/secrets-api.ts';
import { emailKey } from '../rules/contract.ts';
import type { Draft } from './draft.ts';

export type AccessRules = Pick<Draft, 'allowedGroups' | 'allowedUsers'>;

/** Whether nobody is named: then the rules of the namespace decide. */
export function isOpen({ allowedGroups, allowedUsers }: AccessRules): boolean {
  return allowedGroups.length === 0 && allowedUsers.length === 0;
}

/**
 * Whether the rules name others only. Groups are exact, emails ignore case. That somebody is an administrator, whom
 * no rule shuts out, the API does not tell.
 */
export function leavesOut({ email, groups }: SessionUser, rules: AccessRules): boolean {
  if (isOpen(rules)) return false;
  const named = rules.allowedUsers.some((user) => emailKey(user) === emailKey(email));
  return !named && !rules.allowedGroups.some((group) => groups.includes(group));
}
