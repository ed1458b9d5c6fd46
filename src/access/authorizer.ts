import type { Deadline } from '../timing/deadline.ts';
import { ServiceError } from '../errors/service-error.ts';
import { hasRules, type AccessRules } from '../contract/access-rules.ts';
import { emailKey } from '../contract/email.ts';
import { accessesOfLists, type AccessesOfLists, type ListedNamespace } from './accesses-of-lists.ts';
import type { Actor } from './actor.ts';
import { decide, NO_RULES, type Decision } from './decision.ts';
import { explainAccess, type Explanation } from './explanation.ts';
import type { ListAccess, ListedSecrets } from './list-access.ts';
import { createLivePolicies } from './live-policies.ts';
import type { NamespaceInScope, NamespaceScope } from './namespace-scope.ts';
import { createNamespaceList, type NamespaceAccess } from './namespace-list.ts';
import type { PolicyCache, PolicyState } from './policy.ts';
import type { NamespaceCache, NamespaceStore, PolicyStore } from './ports.ts';

/** The contract's text for a policy that is needed and cannot be read or parsed. */
const POLICY_UNAVAILABLE = 'Namespace access policy is unavailable';

export interface Authorizer {
  /** @throws {ServiceError} `forbidden` when the namespace is outside the configured scope, for admins too */
  requireScope(namespace: string): NamespaceInScope;
  /**
   * Lets the actor pass under a Secret's own rules, or under the namespace's when there are none.
   * The policy is read live, and only when the decision needs it.
   * @throws {ServiceError} `forbidden` or `policyUnavailable`
   */
  requireAccess(
    actor: Actor,
    namespace: NamespaceInScope,
    own: AccessRules,
    deadline: Deadline,
  ): Promise<void>;
  /**
   * Why the actor has access under a Secret's own rules, and the namespace's rules as far as they may know them. The
   * policy is read live; one that cannot be used is named as such where the decision does not need it.
   * @throws {ServiceError} `forbidden` or `policyUnavailable`
   */
  explain(
    actor: Actor,
    namespace: NamespaceInScope,
    own: AccessRules,
    deadline: Deadline,
  ): Promise<Explanation>;
  /** Lets the actor create in the namespace. A new Secret has no rules of its own, so the namespace rules decide. */
  requireCreate(actor: Actor, namespace: NamespaceInScope, deadline: Deadline): Promise<void>;
  /**
   * The decisions for a list. Call it after the Secrets have been read. For everyone but administrators an unusable
   * policy fails the whole list, even when the list is empty or every Secret in it has its own rules.
   * @throws {ServiceError} `policyUnavailable`
   */
  forList(
    actor: Actor,
    namespace: NamespaceInScope,
    list: ListedSecrets,
    deadline: Deadline,
  ): Promise<ListAccess>;
  /** The same for many namespaces, from memory but for a few policies; see {@link accessesOfLists}. */
  forLists(
    actor: Actor,
    lists: readonly ListedNamespace[],
    deadline: Deadline,
  ): Promise<AccessesOfLists | undefined>;
  /** The namespaces in scope, ordered by name. */
  namespaces(actor: Actor, deadline: Deadline): Promise<readonly NamespaceAccess[]>;
}

export interface AuthorizerDependencies {
  readonly policies: PolicyStore;
  readonly namespaces: NamespaceStore;
  /** Undefined: namespaces are read live. */
  readonly namespaceCache?: NamespaceCache | undefined;
  /** Undefined reads every policy live. */
  readonly policyCache?: PolicyCache | undefined;
  readonly scope: NamespaceScope;
}

export function createAuthorizer({
  policies,
  namespaces,
  namespaceCache,
  policyCache,
  scope,
}: AuthorizerDependencies): Authorizer {
  const live = createLivePolicies(policies, policyCache);

  const requireAccess: Authorizer['requireAccess'] = async (actor, namespace, own, deadline) => {
    const needsPolicy = decide(actor, own, 'notRead').allowed === 'unknown';
    const policy = needsPolicy ? await live.read(namespace, deadline) : 'notRead';
    requireAllowed(decide(actor, own, policy), policy);
  };

  const explain: Authorizer['explain'] = async (actor, namespace, own, deadline) => {
    const policy = await live.read(namespace, deadline);
    return explainAccess(actor, requireAllowed(decide(actor, own, policy), policy), policy);
  };

  const forList: Authorizer['forList'] = async (actor, namespace, list, deadline) => {
    const kept = list.live ? undefined : policyCache?.state(namespace, list.newest);
    const policy = actor.admin
      ? 'notRead'
      : (kept ?? (await live.readShared(namespace, list.newest, deadline)));
    const creation = decide(actor, NO_RULES, policy);
    if (creation.allowed === 'unknown') throw policyUnavailable(policy);
    return {
      canCreate: creation.allowed,
      get key() {
        return JSON.stringify([actor.admin, creation.allowed, emailKey(actor.user.email), actor.user.groups]);
      },
      // Secrets without their own rules are decided once: the policy and the list may both be large.
      isVisible: (own) => (hasRules(own) ? decide(actor, own, 'notRead').allowed === true : creation.allowed),
    };
  };

  return {
    requireScope: (namespace) => scope.require(namespace),
    requireAccess,
    explain,
    requireCreate: (actor, namespace, deadline) => requireAccess(actor, namespace, NO_RULES, deadline),
    forList,
    forLists: (actor, lists, deadline) =>
      accessesOfLists({ forList, policyCache, scope }, actor, lists, deadline),
    namespaces: createNamespaceList({ namespaces, namespaceCache, live, policyCache, scope }),
  };
}

type KnownPolicy = PolicyState | 'notRead';

function requireAllowed(decision: Decision, policy: KnownPolicy): Decision & { readonly allowed: true } {
  if (decision.allowed === true) return decision;
  if (decision.allowed === 'unknown') throw policyUnavailable(policy);
  const reason = decision.by === 'acl' ? 'deniedByAccessRules' : 'deniedByNamespacePolicy';
  throw new ServiceError('forbidden', 'You do not have access to this', { reason });
}

function policyUnavailable(policy: KnownPolicy): ServiceError {
  const unusable = policy === 'notRead' ? { state: policy } : policy;
  const waits = unusable.state === 'unavailable' ? unusable.retryAfterSeconds : undefined;
  return new ServiceError('policyUnavailable', POLICY_UNAVAILABLE, {
    reason: unusable.state === 'invalid' ? 'policyInvalid' : 'policyUnavailable',
    ...(waits === undefined ? {} : { retryAfterSeconds: waits }),
  });
}
