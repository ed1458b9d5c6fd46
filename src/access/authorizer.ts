import { hash } from 'node:crypto';
import type { Deadline } from '../timing/deadline.ts';
import { createEventLoopYielder } from '../timing/event-loop-yielder.ts';
import { isServiceError, ServiceError } from '../errors/service-error.ts';
import { includesLevel, type AccessLevel, type AccessRules } from '../contract/access-rules.ts';
import { emailKey } from '../contract/email.ts';
import { machineUnder, type Actor } from './actor.ts';
import { createLastSeen, noBinding, type LastSeen } from './machine-bindings.ts';
import {
  decide,
  decideInNamespace,
  decideWithin,
  explainAccess,
  NO_RULES,
  type Decision,
} from './decision.ts';
import type { NamespaceInScope, NamespaceScope } from './namespace-scope.ts';
import { createNamespaceList, type NamespaceListDependencies } from './namespace-list.ts';
import {
  createLivePolicies,
  NOT_READ,
  policyUnavailable,
  type KnownPolicy,
  type LivePolicies,
  type PolicyCache,
  type PolicyState,
  type PolicyStore,
} from './policy.ts';

interface AuthorizerDependencies extends NamespaceListDependencies {
  readonly policies: PolicyStore;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

export type Authorizer = ReturnType<typeof createAuthorizer>;

export function createAuthorizer({ policies, now = Date.now, ...dependencies }: AuthorizerDependencies) {
  const { policyCache, scope } = dependencies;
  const live = createLivePolicies(policies, policyCache);
  const lastSeen = createLastSeen(now);
  const accessTo = createAccessTo(live, lastSeen);
  const forList = createListAccess(live, policyCache);
  return {
    /** @throws {ServiceError} `forbidden` when the namespace is outside the configured scope, for admins too */
    requireScope: scope.require,
    /** Under a Secret's own rules, and the namespace's as far as these count. Bindings of machines name Secrets. */
    accessTo,
    /** Under the rules of the namespace alone: creating, for one. A new Secret has no rules of its own. */
    accessWithin: (actor: Actor, namespace: NamespaceInScope) => accessTo(actor, namespace, NO_RULES),
    forList,
    forLists: createAccessesOfLists(forList, live.readAll, policyCache, scope),
    ...createNamespaceList(dependencies, live, lastSeen),
  };
}

/**
 * The access of an actor to one Secret, or to a namespace. The policy is read live, once, and only when a decision needs
 * it.
 */
export type Access = ReturnType<Authorizer['accessTo']>;

function createAccessTo(live: LivePolicies, lastSeen: LastSeen) {
  return (actor: Actor, namespace: NamespaceInScope, own: AccessRules, name?: string) => {
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
        const binding = decision.bindings?.find((one) => includesLevel(one.level, level));
        if (actor.machine === undefined || binding === undefined) return actor;
        lastSeen.note(binding.identity);
        return machineUnder(actor.machine, binding.identity);
      },
      /**
       * What the actor may do, and why, and the namespace's rules as far as they may know them. A policy that cannot be used
       * is named as such to those whom something else gives access.
       * @throws {ServiceError} `policyUnavailable`; `forbidden` for a machine without a binding
       */
      async explain(deadline: Deadline) {
        const known = await readOnce(deadline);
        if (decideInNamespace(actor, known).matching?.length === 0) throw noBinding();
        const decision = decide(actor, own, known, name);
        if (decision.level === 'none' && decision.undecided !== undefined) throw policyUnavailable(known);
        const { machines, ...explanation } = explainAccess(actor, decision, known, { own, name });
        return {
          ...explanation,
          ...(machines && { machines: machines.map((binding) => lastSeen.of(binding)) }),
        };
      },
    };
  };
}

function requireLevel({ level, by, undecided }: Decision, wanted: AccessLevel, policy: KnownPolicy): void {
  if (includesLevel(level, wanted)) return;
  if (undecided !== undefined) throw policyUnavailable(policy);
  const reason = by === 'secret' ? 'deniedByAccessRules' : 'deniedByNamespacePolicy';
  throw new ServiceError('forbidden', `You do not have ${wanted} access to this`, { reason });
}

/** What a list has returned so far. */
interface ListedSecrets {
  /** Whether the policy must be read live. Otherwise a current policy from the cache is enough. */
  readonly live: boolean;
  /** The newest revision among them. A policy that may be older is not used. */
  readonly newest: string | undefined;
  /** Where it has been read after them. */
  readonly policy?: PolicyState | undefined;
}

export interface ListAccess {
  readonly canCreate: boolean;
  /** Everything that the decisions depend on: with the same key they are the same. */
  readonly key: string;
  isVisible(own: AccessRules, name?: string): boolean;
}

function createListAccess(live: LivePolicies, policyCache: PolicyCache | undefined) {
  /**
   * The decisions for a list. Call it after the Secrets have been read. For everyone but administrators an unusable
   * policy fails the whole list, even when the list is empty or every Secret in it has its own rules.
   * @throws {ServiceError} `policyUnavailable`; `forbidden` for a machine without a binding
   */
  return async (
    actor: Actor,
    namespace: NamespaceInScope,
    list: ListedSecrets,
    deadline: Deadline,
  ): Promise<ListAccess> => {
    const kept = list.policy ?? (list.live ? undefined : policyCache?.state(namespace, list.newest));
    const policy = actor.admin
      ? NOT_READ
      : (kept ?? (await live.readShared(namespace, list.newest, deadline)));
    const inNamespace = decideInNamespace(actor, policy);
    const { level, matching, undecided } = inNamespace;
    if (undecided !== undefined) throw policyUnavailable(policy);
    if (matching?.length === 0) throw noBinding();
    return {
      canCreate: includesLevel(level, 'write'),
      get key() {
        const { email, groups } = actor.user;
        // Bindings may name many Secrets, and a key is kept with what it decided.
        const bindings = matching && [hash('sha256', JSON.stringify(matching), 'hex')];
        return JSON.stringify([actor.admin, level, emailKey(email), groups, ...(bindings ?? [])]);
      },
      isVisible: (own, name) => includesLevel(decideWithin(inNamespace, actor, own, name).level, 'read'),
    };
  };
}

/** Policies that memory does not have as new as the lists. More are read as one list. */
const MAX_SINGLE_READS = 64;
const READS_AT_ONCE = 8;

export function createAccessesOfLists(
  forList: (...list: Parameters<ReturnType<typeof createListAccess>>) => Promise<ListAccess>,
  readAll: LivePolicies['readAll'],
  policyCache: Pick<PolicyCache, 'state'> | undefined,
  scope: NamespaceScope,
) {
  /**
   * The decisions for what was listed from memory in many namespaces, by namespace; `unusable` where the policy is invalid
   * or unavailable to someone who needs it. Namespaces outside of the scope are left out.
   * @returns undefined while memory has too few of the policies, and all of them cannot be read
   */
  return async (
    actor: Actor,
    lists: readonly (Pick<ListedSecrets, 'newest'> & { readonly namespace: string })[],
    deadline: Deadline,
  ) => {
    const within = lists.filter(({ namespace }) => scope.contains(namespace));
    const behind = within.filter(
      ({ namespace, newest }) => policyCache?.state(namespace, newest) === undefined,
    );
    const isMany = !actor.admin && behind.length > MAX_SINGLE_READS;
    // A list of all is a right that a scope of names does not have.
    const read = isMany && scope.named === undefined ? await readAll(deadline) : undefined;
    if (isMany && read === undefined) return undefined;
    const yielder = createEventLoopYielder();
    const accesses = new Map<string, ListAccess | 'unusable'>();
    const remaining = within.values();
    const work = async (): Promise<void> => {
      for (const { namespace, newest } of remaining) {
        try {
          const list = { live: false, newest, policy: read?.(namespace, newest) };
          accesses.set(namespace, await forList(actor, scope.require(namespace), list, deadline));
        } catch (error) {
          const isUnusable = isServiceError(error, 'policyUnavailable');
          // A machine may know of no namespace without a binding.
          const isHidden =
            actor.machine !== undefined && isServiceError(error, 'forbidden', 'policyUnavailable');
          if (!isUnusable && !isHidden) throw error;
          if (!isHidden) accesses.set(namespace, 'unusable');
        }
        await yielder.yieldIfDue();
      }
    };
    await Promise.all(Array.from({ length: READS_AT_ONCE }, work));
    return accesses;
  };
}
