import type { Call } from '../calls/call.ts';
import { isServiceError, ServiceError } from '../errors/service-error.ts';
import type { AccessRules } from './access-rules.ts';
import type { Actor } from './actor.ts';
import { decide, NO_RULES, type Decision } from './decision.ts';
import { parsePolicy, type PolicyCache, type PolicyState } from './policy.ts';
import type { NamespaceScope } from './namespace-scope.ts';
import type { NamespaceStore, PolicyStore } from './ports.ts';

/** The contract's text for a policy that is needed and cannot be used. */
const POLICY_UNAVAILABLE = 'Namespace access policy is unavailable';

/** Namespace policies read at the same time while `GET /api/namespaces` is answered. */
const POLICY_READS_AT_ONCE = 8;

export interface NamespaceAccess {
  readonly name: string;
  /** A hint from the namespace rules; creating asks again. */
  readonly canCreate: boolean;
}

export interface AccessGate {
  /** @throws {ServiceError} `forbidden` when the namespace is outside the configured scope, for admins too */
  requireScope(namespace: string): void;
  /**
   * Lets the actor pass under a Secret's own rules, or under the namespace's when there are none.
   * The policy is read live, and only when the decision needs it.
   * @throws {ServiceError} `forbidden` or `policyUnavailable`
   */
  requireAccess(actor: Actor, namespace: string, own: AccessRules, call: Call): Promise<void>;
  /** Lets the actor create in the namespace; own rules do not exist yet, so namespace rules alone decide. */
  requireCreate(actor: Actor, namespace: string, call: Call): Promise<void>;
  /**
   * The decisions for a list. For everyone but admins an unusable policy fails the whole list, even when
   * it turns out to be empty or all of its items have rules of their own. Unless `live` is asked for, a policy
   * that the cache vouches for is good enough.
   * @throws {ServiceError} `policyUnavailable`
   */
  forList(
    actor: Actor,
    namespace: string,
    call: Call,
    request?: { readonly live: boolean },
  ): Promise<ListAccess>;
  /** The namespaces in scope, ordered by name. */
  namespaces(actor: Actor, call: Call): Promise<readonly NamespaceAccess[]>;
}

export interface ListAccess {
  readonly canCreate: boolean;
  isVisible(own: AccessRules): boolean;
}

export interface GateDependencies {
  readonly policies: PolicyStore;
  readonly namespaces: NamespaceStore;
  /** Undefined: every policy is read live. */
  readonly policyCache?: PolicyCache | undefined;
  readonly scope: NamespaceScope;
}

export function createAccessGate({ policies, namespaces, policyCache, scope }: GateDependencies): AccessGate {
  const policyOf = async (namespace: string, call: Call): Promise<PolicyState> => {
    try {
      const state = parsePolicy(await policies.read(namespace, call));
      policyCache?.sawLive(namespace, state);
      return state;
    } catch (error) {
      // Whatever stands in the way (rights, network, overload), the policy is not usable; the
      // cluster room has logged and counted why.
      if (isServiceError(error)) return unavailable(error);
      throw error;
    }
  };

  const requireAccess: AccessGate['requireAccess'] = async (actor, namespace, own, call) => {
    const needsPolicy = decide(actor, own, 'notRead').allowed === 'unknown';
    const policy = needsPolicy ? await policyOf(namespace, call) : 'notRead';
    requireAllowed(decide(actor, own, policy), policy);
  };

  const stateOfAll = async (
    names: readonly string[],
    call: Call,
  ): Promise<ReadonlyMap<string, PolicyState>> => {
    const kept = new Map(names.flatMap((name) => entryIfKnown(name, policyCache?.state(name))));
    if (kept.size === names.length) return kept;
    if (scope.named !== undefined) return mapLimited(names, (name) => policyOf(name, call));
    const stored = await policies.readAll(call).catch((error: unknown) => {
      if (isServiceError(error)) return undefined;
      throw error;
    });
    if (stored === undefined) return new Map(names.map((name) => [name, { state: 'unavailable' as const }]));
    const byNamespace = new Map(stored.map((policy) => [policy.namespace, policy]));
    return new Map(names.map((name) => [name, parsePolicy(byNamespace.get(name))]));
  };

  return {
    requireScope: (namespace) => {
      scope.require(namespace);
    },
    requireAccess,
    requireCreate: (actor, namespace, call) => requireAccess(actor, namespace, NO_RULES, call),
    async forList(actor, namespace, call, request) {
      const kept = request?.live === true ? undefined : policyCache?.state(namespace);
      const policy = actor.admin ? 'notRead' : (kept ?? (await policyOf(namespace, call)));
      const creation = decide(actor, NO_RULES, policy);
      if (creation.allowed === 'unknown') throw policyUnavailable(policy);
      return {
        canCreate: creation.allowed,
        isVisible: (own) => decide(actor, own, policy).allowed === true,
      };
    },
    async namespaces(actor, call) {
      const names = scope.named ?? (await namespaces.names(call)).filter((name) => scope.contains(name));
      const sorted = names.toSorted();
      if (actor.admin) return sorted.map((name) => ({ name, canCreate: true }));
      const states = await stateOfAll(sorted, call);
      return sorted.map((name) => ({
        name,
        canCreate: decide(actor, NO_RULES, states.get(name) ?? { state: 'unavailable' }).allowed === true,
      }));
    },
  };
}

function entryIfKnown(
  name: string,
  state: PolicyState | undefined,
): readonly (readonly [string, PolicyState])[] {
  return state === undefined ? [] : [[name, state]];
}

type KnownPolicy = PolicyState | 'notRead';

function requireAllowed(decision: Decision, policy: KnownPolicy): void {
  if (decision.allowed === true) return;
  if (decision.allowed === 'unknown') throw policyUnavailable(policy);
  const reason = decision.by === 'acl' ? 'deniedByAccessRules' : 'deniedByNamespacePolicy';
  throw new ServiceError('forbidden', 'You do not have access to this', { reason });
}

/** How long the cluster asked to wait is the client's to know: the policy is read again by its next request. */
function unavailable({ retryAfterSeconds }: ServiceError): PolicyState {
  return { state: 'unavailable', ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
}

function policyUnavailable(policy: KnownPolicy): ServiceError {
  const unusable = policy === 'notRead' ? { state: policy } : policy;
  const waits = unusable.state === 'unavailable' ? unusable.retryAfterSeconds : undefined;
  return new ServiceError('policyUnavailable', POLICY_UNAVAILABLE, {
    reason: unusable.state === 'invalid' ? 'policyInvalid' : 'policyUnavailable',
    ...(waits === undefined ? {} : { retryAfterSeconds: waits }),
  });
}

async function mapLimited<Value>(
  names: readonly string[],
  of: (name: string) => Promise<Value>,
): Promise<ReadonlyMap<string, Value>> {
  const results = new Map<string, Value>();
  const remaining = names.values();
  const work = async () => {
    for (const name of remaining) results.set(name, await of(name));
  };
  await Promise.all(Array.from({ length: POLICY_READS_AT_ONCE }, work));
  return results;
}
