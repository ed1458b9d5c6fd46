import { hash } from 'node:crypto';
import { includesLevel, type AccessRules } from '../contract/access-rules.ts';
import { emailKey } from '../contract/email.ts';
import { isServiceError } from '../errors/service-error.ts';
import type { Deadline } from '../timing/deadline.ts';
import { createEventLoopYielder } from '../timing/event-loop-yielder.ts';
import type { Actor } from './actor.ts';
import { decideInNamespace, decideWithin, NOT_READ } from './decision.ts';
import { policyUnavailable, type LivePolicies } from './live-policies.ts';
import { noBinding, type MachineBinding } from './machine-bindings.ts';
import type { NamespaceInScope, NamespaceScope } from './namespace-scope.ts';
import type { PolicyCache } from './policy.ts';

/** What the list has returned so far. */
export interface ListedSecrets {
  /** Whether the policy must be read live. Otherwise a current policy from the cache is enough. */
  readonly live: boolean;
  /** The newest revision among them. A policy that may be older is not used. */
  readonly newest: string | undefined;
}

export interface ListAccess {
  readonly canCreate: boolean;
  /** Everything that the decisions depend on: with the same key they are the same. */
  readonly key: string;
  isVisible(own: AccessRules, name?: string): boolean;
}

/** What was listed from memory in one namespace. */
export interface ListedNamespace {
  readonly namespace: string;
  /** The newest revision there. A policy that may be older is not used. */
  readonly newest: string | undefined;
}

/** By namespace; `unusable` where the policy is invalid or unavailable to someone who needs it. */
export type AccessesOfLists = ReadonlyMap<string, ListAccess | 'unusable'>;

export interface ListAccessDependencies {
  readonly live: Pick<LivePolicies, 'readShared'>;
  readonly policyCache: Pick<PolicyCache, 'state'> | undefined;
}

/**
 * The decisions for a list.
 * @throws {ServiceError} `policyUnavailable`; `forbidden` for a machine without a binding
 */
export async function listAccess(
  { live, policyCache }: ListAccessDependencies,
  actor: Actor,
  { namespace, ...list }: ListedSecrets & { readonly namespace: NamespaceInScope },
  deadline: Deadline,
): Promise<ListAccess> {
  const kept = list.live ? undefined : policyCache?.state(namespace, list.newest);
  const policy = actor.admin ? NOT_READ : (kept ?? (await live.readShared(namespace, list.newest, deadline)));
  const inNamespace = decideInNamespace(actor, policy);
  if (inNamespace.undecided !== undefined) throw policyUnavailable(policy);
  if (inNamespace.matching?.length === 0) throw noBinding();
  return {
    canCreate: includesLevel(inNamespace.level, 'write'),
    get key() {
      const { email, groups } = actor.user;
      const person = [actor.admin, inNamespace.level, emailKey(email), groups];
      return JSON.stringify(
        inNamespace.matching === undefined ? person : [...person, digestOf(inNamespace.matching)],
      );
    },
    isVisible: (own, name) => includesLevel(decideWithin(inNamespace, actor, own, name).level, 'read'),
  };
}

/** Bindings may name many Secrets, and a key is kept with what it decided. */
function digestOf(bindings: readonly MachineBinding[]): string {
  return hash('sha256', JSON.stringify(bindings), 'hex');
}

export interface AccessesDependencies {
  /** The decisions for one list. */
  readonly forList: (
    actor: Actor,
    namespace: NamespaceInScope,
    list: ListedSecrets,
    deadline: Deadline,
  ) => Promise<ListAccess>;
  readonly policyCache: Pick<PolicyCache, 'state'> | undefined;
  readonly scope: NamespaceScope;
}

/** Policies that memory does not have as new as the lists. A few are read; of more, the cache is not up to date. */
const MOST_READ = 64;
const READS_AT_ONCE = 8;

/**
 * The decisions for lists of many namespaces. Those outside of the scope are left out.
 * @returns undefined while memory has too few of the policies
 */
export async function accessesOfLists(
  { forList, policyCache, scope }: AccessesDependencies,
  actor: Actor,
  lists: readonly ListedNamespace[],
  deadline: Deadline,
): Promise<AccessesOfLists | undefined> {
  const within = lists.filter(({ namespace }) => scope.contains(namespace));
  const isBehind = ({ namespace, newest }: ListedNamespace): boolean =>
    policyCache?.state(namespace, newest) === undefined;
  if (!actor.admin && within.filter(isBehind).length > MOST_READ) return undefined;
  const yielder = createEventLoopYielder();
  const accesses = new Map<string, ListAccess | 'unusable'>();
  const accessTo = async ({ namespace, newest }: ListedNamespace) => {
    try {
      return await forList(actor, scope.require(namespace), { live: false, newest }, deadline);
    } catch (error) {
      // A machine may know of no namespace without a binding.
      if (actor.machine !== undefined && isServiceError(error, 'forbidden', 'policyUnavailable'))
        return undefined;
      if (isServiceError(error, 'policyUnavailable')) return 'unusable';
      throw error;
    }
  };
  const remaining = within.values();
  const work = async (): Promise<void> => {
    for (const one of remaining) {
      const access = await accessTo(one);
      if (access !== undefined) accesses.set(one.namespace, access);
      await yielder.yieldIfDue();
    }
  };
  await Promise.all(Array.from({ length: READS_AT_ONCE }, work));
  return accesses;
}
