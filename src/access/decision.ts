import {
  hasAnyList,
  hasRules,
  levelIn,
  levelOn,
  type AccessRules,
  type GivenLevel,
} from '../contract/access-rules.ts';
import type { Actor } from './actor.ts';
import type { PolicyState } from './policy.ts';

/** What gives access: being an administrator, the Secret's own rules, the namespace's, or that there are none. */
export const ACCESS_SOURCES = ['admin', 'secret', 'namespace', 'open'] as const;
export type AccessSource = (typeof ACCESS_SOURCES)[number];

/** What this actor may do here. */
export interface Decision {
  /** What is certain. */
  readonly level: GivenLevel;
  /** What gives the level, or denies everything. */
  readonly by: AccessSource;
  /** Why the namespace policy, which might give more, does not count. Undefined where it gives no more. */
  readonly undecided?: 'notRead' | 'invalid' | 'unavailable';
}

export type KnownPolicy = PolicyState | 'notRead';

/** The rules of a Secret without its own rules, such as one that is to be created. */
export const NO_RULES: AccessRules = { allowedGroups: [], allowedUsers: [] };

/**
 * The one access decision, for list, read, write, delete, history, restore and create.
 *
 * Administrators are above all rules. Who manages is the contract's decision: a Secret's own allowed lists come next,
 * and decide alone if there are any; otherwise the namespace policy decides, and only a confirmed absence or valid empty
 * rules allow everyone. Lists of writers and readers only ever add to that. While `policy` is `notRead`, the result says
 * whether it has to be read for more.
 */
export function decide(actor: Actor, own: AccessRules, policy: KnownPolicy): Decision {
  return decideWithin(decideInNamespace(actor, policy), actor, own);
}

/** For a Secret without any list of its own. */
export function decideInNamespace({ admin, user }: Actor, policy: KnownPolicy): Decision {
  if (admin) return { level: 'manage', by: 'admin' };
  if (policy === 'notRead') return { level: 'none', by: 'namespace', undecided: 'notRead' };
  switch (policy.state) {
    case 'absent':
      return { level: 'manage', by: 'open' };
    case 'rules':
      if (!hasRules(policy.rules)) return { level: 'manage', by: 'open' };
      return { level: levelIn(user, policy.rules), by: 'namespace' };
    case 'invalid':
    case 'unavailable':
      return { level: 'none', by: 'namespace', undecided: policy.state };
  }
}

/** The same as {@link decide}, for many Secrets of a namespace: its policy is considered once, and may be large. */
export function decideWithin(inNamespace: Decision, { admin, user }: Actor, own: AccessRules): Decision {
  if (admin || !hasAnyList(own)) return inNamespace;
  const level = levelOn(user, own, inNamespace.level);
  if (hasRules(own)) return { level, by: 'secret' };
  if (inNamespace.level === 'manage') return inNamespace;
  const { undecided } = inNamespace;
  const by = level === 'none' ? 'namespace' : 'secret';
  return { level, by, ...(undecided === undefined ? {} : { undecided }) };
}

/**
 * The rules of a namespace, as far as someone may know them: administrators do, and everyone whom they let in. They are
 * hidden from others, such as someone whom the rules of one Secret name.
 */
export type NamespaceRules =
  { readonly state: 'open' | 'hidden' | 'unusable' } | ({ readonly state: 'rules' } & AccessRules);

export interface Explanation extends Pick<Decision, 'level' | 'by'> {
  readonly namespaceRules: NamespaceRules;
}

/** What an actor may do, and why. */
export function explainAccess(
  { admin, user }: Actor,
  { level, by }: Decision,
  policy: PolicyState,
): Explanation {
  const mayKnow = (rules: AccessRules): boolean => admin || levelIn(user, rules) !== 'none';
  return { level, by, namespaceRules: rulesFor(policy, mayKnow) };
}

function rulesFor(policy: PolicyState, mayKnow: (rules: AccessRules) => boolean): NamespaceRules {
  if (policy.state === 'invalid' || policy.state === 'unavailable') return { state: 'unusable' };
  if (policy.state === 'absent' || !hasRules(policy.rules)) return { state: 'open' };
  return mayKnow(policy.rules) ? { state: 'rules', ...policy.rules } : { state: 'hidden' };
}
