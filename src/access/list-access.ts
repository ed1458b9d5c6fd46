import { includesLevel, type AccessRules } from '../contract/access-rules.ts';
import { emailKey } from '../contract/email.ts';
import { isServiceError } from '../errors/service-error.ts';
import type { Deadline } from '../timing/deadline.ts';
import { createEventLoopYielder } from '../timing/event-loop-yielder.ts';
import type { Actor } from './actor.ts';
import { decideInNamespace, decideWithin } from './decision.ts';
import { policyUnavailable, type LivePolicies } from './live-policies.ts';
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
  isVisible(own: AccessRules): boolean;
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
 * @throws {ServiceError} `policyUnavailable`
 */
export async function listAccess(
  { live, policyCache }: ListAccessDependencies,
  actor: Actor,
  { namespace, ...list }: ListedSecrets & { readonly namespace: NamespaceInScope },
  deadline: Deadline,
): Promise<ListAccess> {
  const kept = list.live ? undefined : policyCache?.state(namespace, list.newest);
  const policy = actor.admin
    ? 'notRead'
    : (kept ?? (await live.readShared(namespace, list.newest, deadline)));
  const inNamespace = decideInNamespace(actor, policy);
  if (inNamespace.undecided !== undefined) throw policyUnavailable(policy);
  return {
    canCreate: includesLevel(inNamespace.level, 'write'),
    get key() {
      return JSON.stringify([actor.admin, inNamespace.level, emailKey(actor.user.email), actor.user.groups]);
    },
    isVisible: (own) => includesLevel(decideWithin(inNamespace, actor, own).level, 'read'),
  };
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
  const accessTo = async ({ namespace, newest }: ListedNamespace): Promise<ListAccess | 'unusable'> => {
    try {
      return await forList(actor, scope.require(namespace), { live: false, newest }, deadline);
    } catch (error) {
      if (isServiceError(error, 'policyUnavailable')) return 'unusable';
      throw error;
    }
  };
  const remaining = within.values();
  const work = async (): Promise<void> => {
    for (const one of remaining) {
      accesses.set(one.namespace, await accessTo(one));
      await yielder.yieldIfDue();
    }
  };
  await Promise.all(Array.from({ length: READS_AT_ONCE }, work));
  return accesses;
}
