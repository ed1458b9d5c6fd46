import { hasRules, matchesRules, type AccessRules } from '../contract/access-rules.ts';
import type { Actor } from './actor.ts';
import type { PolicyState } from './policy.ts';

/** Whether this actor may do this here. */
export type Decision =
  | { readonly allowed: true; readonly by: 'admin' | 'acl' | 'policy' | 'open' }
  | { readonly allowed: false; readonly by: 'acl' | 'policy' }
  /** No decision without a usable namespace policy. */
  | { readonly allowed: 'unknown'; readonly because: 'notRead' | 'invalid' | 'unavailable' };

/** The rules of a Secret without its own rules, such as one that is to be created. */
export const NO_RULES: AccessRules = { allowedGroups: [], allowedUsers: [] };

/**
 * The one access decision, for list, read, write, delete, history, restore and create.
 *
 * Administrators are above all rules. A Secret's own rules come next, and decide alone if there are any. Otherwise the
 * namespace policy decides; only a confirmed absence or valid empty rules allow everyone. While `policy` is `notRead`,
 * the result says whether it has to be read.
 */
export function decide(actor: Actor, own: AccessRules, policy: PolicyState | 'notRead'): Decision {
  if (actor.admin) return { allowed: true, by: 'admin' };
  if (hasRules(own)) return { allowed: matchesRules(actor.user, own), by: 'acl' };
  if (policy === 'notRead') return { allowed: 'unknown', because: 'notRead' };
  switch (policy.state) {
    case 'absent':
      return { allowed: true, by: 'open' };
    case 'rules':
      if (!hasRules(policy.rules)) return { allowed: true, by: 'open' };
      return { allowed: matchesRules(actor.user, policy.rules), by: 'policy' };
    case 'invalid':
    case 'unavailable':
      return { allowed: 'unknown', because: policy.state };
  }
}
