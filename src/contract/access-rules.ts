import { emailKey } from './email.ts';
import { haveCommon } from './have-common.ts';

/** Who has access: by exact group, or by email. With both lists empty there is no rule. */
export interface AccessRules {
  readonly allowedGroups: readonly string[];
  readonly allowedUsers: readonly string[];
}

/** Rules whose users are keys already, for decisions about many Secrets. */
export interface KeyedRules extends AccessRules {
  readonly areKeys: true;
}

/** Makes the keys of the entries once. */
export function keyedRules({ allowedGroups, allowedUsers }: AccessRules): KeyedRules {
  return { allowedGroups, allowedUsers: allowedUsers.map(emailKey), areKeys: true };
}

export function hasRules({ allowedGroups, allowedUsers }: AccessRules): boolean {
  return allowedGroups.length > 0 || allowedUsers.length > 0;
}

/** Whether the rules name a user: groups exactly, emails ignoring case. */
export function matchesRules(
  user: { readonly email: string; readonly groups: readonly string[] },
  rules: AccessRules | KeyedRules,
): boolean {
  const email = emailKey(user.email);
  return (
    haveCommon(user.groups, rules.allowedGroups) ||
    ('areKeys' in rules
      ? rules.allowedUsers.includes(email)
      : rules.allowedUsers.some((allowed) => emailKey(allowed) === email))
  );
}

/** Whether there are rules and none names the user. Administrators, whom no rule excludes, are not considered. */
export function isExcluded(user: Parameters<typeof matchesRules>[0], rules: AccessRules): boolean {
  return hasRules(rules) && !matchesRules(user, rules);
}
