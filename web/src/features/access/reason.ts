import type { Explanation, SecretSummary, SessionUser } from '../../api/secrets-api.ts';
import { hasRules, type AccessRules } from '../../../../src/contract/access-rules.ts';
import { emailKey } from '../../../../src/contract/email.ts';

type Rules = Pick<SecretSummary, 'namespace' | 'allowedGroups' | 'allowedUsers'>;

/**
 * Why someone who sees a Secret may: what names them, whose rules these are, and whether they are an administrator, too.
 * @param explanation undefined while it is not known. Then, whom the rules of the Secret do not name is an
 * administrator, since others do not see it; without rules it may be either.
 */
export function reasonsFor(
  user: SessionUser,
  rules: Rules,
  explanation: Explanation | undefined,
): readonly string[] {
  const own = hasRules(rules);
  const inForce = own ? rules : namespaceRulesOf(explanation);
  const named = inForce === undefined ? undefined : whatNames(user, inForce);
  if (named !== undefined) {
    const source = own
      ? 'The rules of this Secret say so.'
      : `The rules of the namespace ${rules.namespace} say so.`;
    return [
      named,
      source,
      ...(explanation?.by === 'admin' ? ["You're an administrator, too: no rule can keep you out."] : []),
    ];
  }
  if (explanation?.by === 'open') return ['Everyone who can sign in has access.'];
  if (own || explanation?.by === 'admin') return ['You have access as an administrator.'];
  return [`You have access through the rules of the namespace ${rules.namespace}, or as an administrator.`];
}

function namespaceRulesOf(explanation: Explanation | undefined): AccessRules | undefined {
  const rules = explanation?.namespaceRules;
  return rules?.state === 'rules' ? rules : undefined;
}

function whatNames({ email, groups }: SessionUser, rules: AccessRules): string | undefined {
  const mine = new Set(groups);
  const common = [...new Set(rules.allowedGroups.filter((group) => mine.has(group)))];
  if (common.length === 1) return `You have access through group ${common.join()}.`;
  if (common.length > 1) return `You have access through the groups ${common.join(', ')}.`;
  const isNamed = rules.allowedUsers.some((user) => emailKey(user) === emailKey(email));
  return isNamed ? `You have access as ${email}.` : undefined;
}
