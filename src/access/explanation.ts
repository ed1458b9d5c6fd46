import { hasRules, matchesRules, type AccessRules } from '../contract/access-rules.ts';
import type { Actor } from './actor.ts';
import type { Decision } from './decision.ts';
import type { PolicyState } from './policy.ts';

/** What lets someone in: that they are an administrator, the Secret's own rules, the namespace's, or that there are none. */
export const ACCESS_SOURCES = ['admin', 'secret', 'namespace', 'open'] as const;
export type AccessSource = (typeof ACCESS_SOURCES)[number];

/**
 * The rules of a namespace, as far as someone may know them: administrators do, and everyone whom they let in. They are
 * hidden from others, such as someone whom the rules of one Secret name.
 */
export type NamespaceRules =
  { readonly state: 'open' | 'hidden' | 'unusable' } | ({ readonly state: 'rules' } & AccessRules);

export interface Explanation {
  readonly by: AccessSource;
  readonly namespaceRules: NamespaceRules;
}

const SOURCE_OF = { admin: 'admin', acl: 'secret', policy: 'namespace', open: 'open' } as const;

/** Why an actor whom the decision lets in has access. */
export function explainAccess(
  { admin, user }: Actor,
  { by }: Decision & { readonly allowed: true },
  policy: PolicyState,
): Explanation {
  return {
    by: SOURCE_OF[by],
    namespaceRules: rulesFor(policy, (rules) => admin || matchesRules(user, rules)),
  };
}

function rulesFor(policy: PolicyState, mayKnow: (rules: AccessRules) => boolean): NamespaceRules {
  if (policy.state === 'invalid' || policy.state === 'unavailable') return { state: 'unusable' };
  if (policy.state === 'absent' || !hasRules(policy.rules)) return { state: 'open' };
  return mayKnow(policy.rules) ? { state: 'rules', ...policy.rules } : { state: 'hidden' };
}
