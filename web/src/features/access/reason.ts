import type { Explanation, SessionUser } from '../../api/secrets-api.ts';
import {
  hasAnyList,
  hasRules,
  levelIn,
  LISTS_OF,
  type AccessLevel,
  type AccessRules,
} from '../../../../src/contract/access-rules.ts';
import { isServiceAccountToken } from '../../../../src/contract/secret-types.ts';
import { isolated } from '../../values/format.ts';
import { emailKey } from '../../../../src/contract/email.ts';

type Rules = AccessRules & { readonly namespace: string };

const LEVEL_WORDS: Readonly<Record<AccessLevel, string>> = {
  read: 'You can see its values and its history.',
  write: 'You can change its values and its description, and restore versions.',
  manage: 'You can change its values and access rules, and delete it.',
};

/** What a level allows with a Secret of a type. */
export function levelWords(level: AccessLevel, type: string): string {
  if (level === 'read' || !isServiceAccountToken(type)) return LEVEL_WORDS[level];
  const rest = level === 'manage' ? 'you can delete it, but not change it' : "it can't be changed here";
  return `The cluster manages this token: ${rest}.`;
}

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
  const own = isByOwnRules(rules, explanation);
  const inForce = own ? rules : namespaceRulesOf(explanation);
  const named = inForce === undefined ? undefined : whatNames(user, inForce);
  if (named !== undefined) {
    const source = own ? 'its own rules' : `the rules of the namespace ${rules.namespace}`;
    return [
      `${named}, by ${source}.`,
      ...(explanation?.by === 'admin' ? ["You're an administrator, too: no rule can keep you out."] : []),
    ];
  }
  if (explanation?.by === 'open') return ['Everyone who can sign in can manage this Secret.'];
  if (own || explanation?.by === 'admin') return ['You can manage this Secret as an administrator.'];
  return [`You have access through the rules of the namespace ${rules.namespace}, or as an administrator.`];
}

function isByOwnRules(rules: Rules, explanation: Explanation | undefined): boolean {
  switch (explanation?.by) {
    case 'secret':
      return true;
    case 'admin':
      return hasAnyList(rules);
    default:
      return hasRules(rules);
  }
}

function namespaceRulesOf(explanation: Explanation | undefined): AccessRules | undefined {
  const rules = explanation?.namespaceRules;
  return rules?.state === 'rules' ? rules : undefined;
}

function whatNames(user: SessionUser, rules: AccessRules): string | undefined {
  const level = levelIn(user, rules);
  if (level === 'none') return undefined;
  const can = `You can ${level} this Secret`;
  const { groups, users } = LISTS_OF[level];
  const mine = new Set(user.groups);
  const common = [...new Set((rules[groups] ?? []).filter((group) => mine.has(group)))].map(isolated);
  if (common.length === 1) return `${can} through group ${common.join()}`;
  if (common.length > 1) return `${can} through the groups ${common.join(', ')}`;
  const isNamed = (rules[users] ?? []).some((one) => emailKey(one) === emailKey(user.email));
  return isNamed ? `${can} as ${isolated(user.email)}` : undefined;
}
