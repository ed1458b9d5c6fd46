import {
  ACCESS_LEVELS,
  hasAnyList,
  hasRules,
  levelIn,
  levelOn,
  type AccessRules,
  type GivenLevel,
} from '../contract/access-rules.ts';
import type { Actor, MachineToken } from './actor.ts';
import { isBoundTo, matchingBindings, type MachineBinding } from './machine-bindings.ts';
import type { KnownPolicy, PolicyState } from './policy.ts';

/** What gives access: being an administrator, the Secret's own rules, the namespace's, or that there are none. */
export const ACCESS_SOURCES = ['admin', 'secret', 'namespace', 'open'] as const;

/** What this actor may do here. */
export interface Decision {
  /** What is certain. */
  readonly level: GivenLevel;
  /** What gives the level, or denies everything. */
  readonly by: (typeof ACCESS_SOURCES)[number];
  /** Why the namespace policy, which might give more, does not count. Undefined where it gives no more. */
  readonly undecided?: 'notRead' | 'invalid' | 'unavailable';
  /** For a machine, the bindings that count, in order: the first of a level names it. */
  readonly bindings?: readonly MachineBinding[];
  /** For a machine in a namespace, all bindings that it matches there, those of single Secrets included. */
  readonly matching?: readonly MachineBinding[];
}

/** The rules of a Secret without its own rules, such as one that is to be created. */
export const NO_RULES: AccessRules = { allowedGroups: [], allowedUsers: [] };

/**
 * The one access decision, for list, read, write, delete, history, restore and create.
 *
 * Administrators are above all rules. Who manages is the contract's decision: a Secret's own allowed lists come next,
 * and decide alone if there are any; otherwise the namespace policy decides, and only a confirmed absence or valid empty
 * rules allow everyone. Lists of writers and readers only ever add to that. A machine has what the bindings of the policy
 * name, and nothing else. While `policy` is {@link NOT_READ}, the result says whether it has to be read for more.
 *
 * @param name undefined for a Secret that is to be created
 */
export function decide(actor: Actor, own: AccessRules, policy: KnownPolicy, name?: string): Decision {
  return decideWithin(decideInNamespace(actor, policy), actor, own, name);
}

/** For a Secret without any list of its own. */
export function decideInNamespace(actor: Actor, policy: KnownPolicy): Decision {
  const { admin, user, machine } = actor;
  if (machine !== undefined) return decideByBindings(machine, policy);
  if (admin) return { level: 'manage', by: 'admin' };
  switch (policy.state) {
    case 'absent':
      return { level: 'manage', by: 'open' };
    case 'rules':
      if (!hasRules(policy.rules)) return { level: 'manage', by: 'open' };
      return { level: levelIn(user, policy.rules), by: 'namespace' };
    case 'notRead':
    case 'invalid':
    case 'unavailable':
      return undecidedBy(policy.state);
  }
}

function undecidedBy(why: NonNullable<Decision['undecided']>): Decision {
  return { level: 'none', by: 'namespace', undecided: why };
}

/** Nothing else gives a machine access: neither an open namespace nor a list that names people. */
function decideByBindings(machine: MachineToken, policy: KnownPolicy): Decision {
  if (policy.state !== 'absent' && policy.state !== 'rules') return undecidedBy(policy.state);
  const machines = policy.state === 'rules' ? policy.machines : undefined;
  if (machines?.kind === 'malformed') return undecidedBy('invalid');
  const matching = matchingBindings(machine, machines?.bindings ?? []);
  return { ...boundTo(matching, NO_RULES, undefined), matching };
}

/** Several bindings add up: the highest level counts. */
function boundTo(matching: readonly MachineBinding[], own: AccessRules, name: string | undefined): Decision {
  const bindings = matching.filter((binding) => isBoundTo(binding, own, name));
  const level = ACCESS_LEVELS.findLast((one) => bindings.some((binding) => binding.level === one));
  return { level: level ?? 'none', by: 'namespace', bindings };
}

/** The same as {@link decide}, for many Secrets of a namespace: its policy is considered once, and may be large. */
export function decideWithin(
  inNamespace: Decision,
  { admin, user, machine }: Actor,
  own: AccessRules,
  name?: string,
): Decision {
  if (machine !== undefined) {
    return inNamespace.matching === undefined ? inNamespace : boundTo(inNamespace.matching, own, name);
  }
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
type NamespaceRules =
  | { readonly state: 'open' | 'hidden' | 'unusable' }
  | ({ readonly state: 'rules' } & AccessRules);

/**
 * What an actor may do, and why. `machines` are those bound to the Secret, or without a name in the namespace, for whoever
 * may know the rules of the namespace.
 */
export function explainAccess(
  actor: Actor,
  { level, by }: Decision,
  policy: PolicyState,
  { own, name }: { readonly own: AccessRules; readonly name: string | undefined },
) {
  const namespaceRules = rulesFor(actor, policy);
  const isKnown = namespaceRules.state === 'rules' || namespaceRules.state === 'open';
  const known = isKnown && policy.state === 'rules' ? policy.machines : undefined;
  const bindings = known?.kind === 'bindings' ? known.bindings : [];
  const machines = bindings.filter((binding) => name === undefined || isBoundTo(binding, own, name));
  return { level, by, namespaceRules, ...(machines.length > 0 && { machines }) };
}

function rulesFor({ admin, user, machine }: Actor, policy: PolicyState): NamespaceRules {
  // They name people, and a machine is none.
  if (machine !== undefined) return { state: 'hidden' };
  if (policy.state === 'invalid' || policy.state === 'unavailable') return { state: 'unusable' };
  if (policy.state === 'absent' || !hasRules(policy.rules)) return { state: 'open' };
  const mayKnow = admin || levelIn(user, policy.rules) !== 'none';
  return mayKnow ? { state: 'rules', ...policy.rules } : { state: 'hidden' };
}
