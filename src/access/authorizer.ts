import type { Deadline } from '../timing/deadline.ts';
import { ServiceError } from '../errors/service-error.ts';
import { includesLevel, type AccessLevel, type AccessRules } from '../contract/access-rules.ts';
import { machineUnder, type Actor } from './actor.ts';
import { createLastSeen, type LastSeen } from './machine-bindings.ts';
import { decide, explainAccess, NO_RULES, NOT_READ, type Decision, type KnownPolicy } from './decision.ts';
import { accessesOfLists, listAccess, type ListedNamespace, type ListedSecrets } from './list-access.ts';
import { createLivePolicies, policyUnavailable, type LivePolicies } from './live-policies.ts';
import type { NamespaceInScope } from './namespace-scope.ts';
import { createNamespaceList, type NamespaceListDependencies } from './namespace-list.ts';
import type { PolicyState, PolicyStore } from './policy.ts';

interface AuthorizerDependencies extends NamespaceListDependencies {
  readonly policies: PolicyStore;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

export type Authorizer = ReturnType<typeof createAuthorizer>;

export function createAuthorizer({ policies, now = Date.now, ...dependencies }: AuthorizerDependencies) {
  const { policyCache, scope } = dependencies;
  const live = createLivePolicies(policies, policyCache);
  const list = createNamespaceList(dependencies, live);
  const lastSeen = createLastSeen(now);
  const accessTo = (actor: Actor, namespace: NamespaceInScope, own: AccessRules, name?: string) =>
    createAccess(live, lastSeen, { actor, namespace, own, name });
  const forList = (actor: Actor, namespace: NamespaceInScope, secrets: ListedSecrets, deadline: Deadline) =>
    listAccess({ live, policyCache }, actor, { namespace, ...secrets }, deadline);
  return {
    /** @throws {ServiceError} `forbidden` when the namespace is outside the configured scope, for admins too */
    requireScope: scope.require,
    /** Under a Secret's own rules, and the namespace's as far as these count. Bindings of machines name Secrets. */
    accessTo,
    /** Under the rules of the namespace alone: creating, for one. A new Secret has no rules of its own. */
    accessWithin: (actor: Actor, namespace: NamespaceInScope) => accessTo(actor, namespace, NO_RULES),
    /**
     * The decisions for a list. Call it after the Secrets have been read. For everyone but administrators an unusable
     * policy fails the whole list, even when the list is empty or every Secret in it has its own rules.
     * @throws {ServiceError} `policyUnavailable`
     */
    forList,
    /** The same for many namespaces, from memory but for a few policies; see {@link accessesOfLists}. */
    forLists: (actor: Actor, lists: readonly ListedNamespace[], deadline: Deadline) =>
      accessesOfLists({ forList, policyCache, scope }, actor, lists, deadline),
    ...list,
    /** The machine of a token, by the policies of the namespace or all. */
    async identifyMachine(...wanted: Parameters<typeof list.identifyMachine>) {
      const machine = await list.identifyMachine(...wanted);
      lastSeen.note(machine.user.email);
      return machine;
    },
  };
}

interface AccessSubject {
  readonly actor: Actor;
  readonly namespace: NamespaceInScope;
  readonly own: AccessRules;
  readonly name: string | undefined;
}

/**
 * The access of an actor to one Secret, or to a namespace. The policy is read live, once, and only when a decision needs
 * it.
 */
export type Access = ReturnType<typeof createAccess>;

function createAccess(
  live: Pick<LivePolicies, 'read'>,
  lastSeen: LastSeen,
  { actor, namespace, own, name }: AccessSubject,
) {
  let read: PolicyState | undefined;
  const readOnce = async (deadline: Deadline) => (read ??= await live.read(namespace, deadline));
  return {
    /**
     * @returns the actor; a machine by the first of its bindings that gives the level
     * @throws {ServiceError} `forbidden`, naming the level; `policyUnavailable` when the policy might give it
     */
    async require(level: AccessLevel, deadline: Deadline): Promise<Actor> {
      let policy: KnownPolicy = read ?? NOT_READ;
      let decision = decide(actor, own, policy, name);
      if (!includesLevel(decision.level, level) && decision.undecided === 'notRead') {
        policy = await readOnce(deadline);
        decision = decide(actor, own, policy, name);
      }
      requireLevel(decision, level, policy);
      const named = namedBy(decision, actor, level);
      if (named.machine !== undefined) lastSeen.note(named.user.email);
      return named;
    },
    /**
     * What the actor may do, and why, and the namespace's rules as far as they may know them. A policy that cannot be used
     * is named as such to those whom something else gives access.
     * @throws {ServiceError} `policyUnavailable`
     */
    async explain(deadline: Deadline) {
      const known = await readOnce(deadline);
      const decision = decide(actor, own, known, name);
      if (decision.level === 'none' && decision.undecided !== undefined) throw policyUnavailable(known);
      const { machines, ...explanation } = explainAccess(actor, decision, known, { own, name });
      return {
        ...explanation,
        ...(machines && { machines: machines.map((binding) => lastSeen.of(binding)) }),
      };
    },
  };
}

function requireLevel({ level, by, undecided }: Decision, wanted: AccessLevel, policy: KnownPolicy): void {
  if (includesLevel(level, wanted)) return;
  if (undecided !== undefined) throw policyUnavailable(policy);
  const reason = by === 'secret' ? 'deniedByAccessRules' : 'deniedByNamespacePolicy';
  throw new ServiceError('forbidden', `You do not have ${wanted} access to this`, { reason });
}

/** The first binding that gives the level names a machine. */
function namedBy({ bindings }: Decision, actor: Actor, level: AccessLevel): Actor {
  const binding = bindings?.find((one) => includesLevel(one.level, level));
  if (actor.machine === undefined || binding === undefined) return actor;
  return machineUnder(actor.machine, binding.identity);
}
