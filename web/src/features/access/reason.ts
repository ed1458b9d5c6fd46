import type { SecretSummary, SessionUser } from '../../api/secrets-api.ts';
import { hasRules } from '../../../../src/contract/access-rules.ts';
import { emailKey } from '../../../../src/contract/email.ts';
import { ACCESS_WORDS } from '../../words/access.ts';

type Rules = Pick<SecretSummary, 'namespace' | 'allowedGroups' | 'allowedUsers'>;

/**
 * Why someone who sees a Secret may. Whom its rules do not name is an administrator: others do not see it. Without rules it may
 * be either: the API returns neither who is an administrator nor the rules of a namespace.
 */
export function reasonFor({ email, groups }: SessionUser, rules: Rules): string {
  if (!hasRules(rules)) return ACCESS_WORDS.throughNamespace(rules.namespace);
  const common = rules.allowedGroups.filter((group) => groups.includes(group));
  if (common.length === 1) return ACCESS_WORDS.throughGroup(common.join());
  if (common.length > 1) return ACCESS_WORDS.throughGroups(common.join(', '));
  const isNamed = rules.allowedUsers.some((user) => emailKey(user) === emailKey(email));
  return isNamed ? ACCESS_WORDS.throughEmail(email) : ACCESS_WORDS.asAdmin;
}
