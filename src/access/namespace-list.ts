import { createConcurrencyLimit } from '../timing/concurrency-limit.ts';
import type { Deadline } from '../timing/deadline.ts';
import { machineUnder, type Actor, type Machine, type MachineToken } from './actor.ts';
import { includesLevel, type AccessLevel } from '../contract/access-rules.ts';
import { decideInNamespace } from './decision.ts';
import { bearerRefused, noBinding, type LastSeen } from './machine-bindings.ts';
import type { NamespaceScope } from './namespace-scope.ts';
import {
  policyUnavailable,
  sharedReads,
  type LivePolicies,
  type PolicyCache,
  type PolicyState,
} from './policy.ts';

/** The namespaces that the cluster has, but for those that are being deleted: nothing can be created there. */
export interface NamespaceStore {
  /** Names of all namespaces, in no particular order; needs cluster-wide rights. */
  names(deadline: Deadline): Promise<readonly string[]>;
}

/** The same from memory. */
export interface NamespaceCache {
  /** Undefined while the cache is not fresh. */
  names(): readonly string[] | undefined;
}

/** What a machine sends a request about. */
export interface WantedMachine {
  readonly namespace: string | undefined;
  readonly level: AccessLevel;
}

export interface NamespaceListDependencies {
  readonly namespaces: NamespaceStore;
  /** Undefined: namespaces are read live. */
  readonly namespaceCache?: NamespaceCache | undefined;
  /** Undefined reads every policy live. */
  readonly policyCache?: PolicyCache | undefined;
  readonly scope: NamespaceScope;
}

/** Policies that are read one by one; of more, those of all namespaces are listed together. */
const MOST_SINGLE_READS = 16;
/** Policies read at the same time. */
const POLICY_READS_AT_ONCE = 8;

/** What the policies of all namespaces decide together: from memory while it is fresh, otherwise live. */
export function createNamespaceList(
  { namespaces, namespaceCache, policyCache, scope }: NamespaceListDependencies,
  live: LivePolicies,
  lastSeen: LastSeen,
) {
  const allNames = sharedReads((_all, deadline) => namespaces.names(deadline));
  const namesInScope = async (deadline: Deadline): Promise<readonly string[]> => {
    if (scope.named !== undefined) return scope.named;
    const names = namespaceCache?.names() ?? (await allNames.join('', deadline));
    return names.filter((name) => scope.contains(name)).sort();
  };

  /** Reads the policy of one of these namespaces. */
  const readerOf = async (names: readonly string[], deadline: Deadline) => {
    if (scope.named !== undefined || names.length <= MOST_SINGLE_READS) {
      const limited = createConcurrencyLimit(POLICY_READS_AT_ONCE);
      return (name: string) => limited(() => live.readShared(name, undefined, deadline));
    }
    const read = await live.readAll(deadline);
    return read ?? (() => ({ state: 'unavailable' }) as const);
  };

  /** The policy of each namespace in scope, ordered by name. */
  const policiesInScope = async (deadline: Deadline): Promise<ReadonlyMap<string, PolicyState>> => {
    const names = await namesInScope(deadline);
    const cached = new Map(names.map((name) => [name, policyCache?.state(name)]));
    const missing = names.filter((name) => cached.get(name) === undefined);
    const read = await readerOf(missing, deadline);
    const policyOf = async (name: string) => [name, cached.get(name) ?? (await read(name))] as const;
    return new Map(await Promise.all(names.map(policyOf)));
  };

  return {
    /**
     * The namespaces in scope, ordered by name; for a machine, those in which it has a binding. `canCreate` is a hint from
     * their rules; creating decides again.
     */
    async namespaces(actor: Actor, deadline: Deadline) {
      if (actor.admin) return (await namesInScope(deadline)).map((name) => ({ name, canCreate: true }));
      return [...(await policiesInScope(deadline))].flatMap(([name, policy]) => {
        const { level, matching } = decideInNamespace(actor, policy);
        if (actor.machine !== undefined && (matching ?? []).length === 0) return [];
        return [{ name, canCreate: includesLevel(level, 'write') }];
      });
    },
    /** The machine of a token, by the policy of the namespace or all: see {@link firstBinding}. */
    async identifyMachine(token: MachineToken, { namespace, level }: WantedMachine, deadline: Deadline) {
      const isOne = namespace !== undefined && scope.contains(namespace);
      const policies = isOne
        ? [policyCache?.state(namespace) ?? (await live.readShared(namespace, undefined, deadline))]
        : (await policiesInScope(deadline)).values();
      const machine = firstBinding(token, policies, isOne ? level : undefined);
      lastSeen.note(machine.user.email);
      return machine;
    },
  };
}

/**
 * A machine by the first binding that its token matches; where one namespace is wanted, by the first that gives the level, if
 * there is one. What it may do is decided later, as for people.
 *
 * What cannot be read or understood may have a binding as well, but the first that is known names the machine.
 * @throws {ServiceError} `unauthenticated` where its bindings were ended early, `forbidden`, `policyUnavailable`
 */
function firstBinding(token: MachineToken, policies: Iterable<PolicyState>, level?: AccessLevel): Machine {
  let unusable: PolicyState | undefined;
  let hadOne = false;
  const unnamed = machineUnder(token, '');
  const beforeItsEnd = machineUnder({ ...token, isEnded: () => false }, '');
  for (const policy of policies) {
    const { bindings = [], matching = [], undecided } = decideInNamespace(unnamed, policy);
    const first = (level && bindings.find((one) => includesLevel(one.level, level))) ?? matching[0];
    if (first !== undefined) return machineUnder(token, first.identity);
    if (undecided !== undefined) unusable ??= policy;
    hadOne ||= (decideInNamespace(beforeItsEnd, policy).matching ?? []).length > 0;
  }
  if (hadOne) throw bearerRefused('ended');
  throw unusable === undefined ? noBinding() : policyUnavailable(unusable);
}
