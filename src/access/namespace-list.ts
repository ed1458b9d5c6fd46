import { createConcurrencyLimit } from '../timing/concurrency-limit.ts';
import type { Deadline } from '../timing/deadline.ts';
import type { Actor } from './actor.ts';
import { includesLevel } from '../contract/access-rules.ts';
import { decideInNamespace } from './decision.ts';
import { sharedReads, type LivePolicies } from './live-policies.ts';
import type { NamespaceScope } from './namespace-scope.ts';
import type { PolicyCache, PolicyState } from './policy.ts';

/** The namespaces that the cluster has, but for those that are being deleted: nothing can be created there. */
export interface NamespaceStore {
  /** Names of all namespaces, in no particular order; needs cluster-wide rights. */
  names(deadline: Deadline): Promise<readonly string[]>;
}

/** The same from memory. */
export interface NamespaceCache {
  /** Undefined when the cache cannot vouch for them. */
  names(): readonly string[] | undefined;
}

export interface NamespaceAccess {
  readonly name: string;
  /** A hint from the namespace rules; creating decides again. */
  readonly canCreate: boolean;
}

export interface NamespaceListDependencies {
  readonly namespaces: NamespaceStore;
  readonly namespaceCache: NamespaceCache | undefined;
  readonly live: LivePolicies;
  readonly policyCache: PolicyCache | undefined;
  readonly scope: NamespaceScope;
}

/** Policies that are read one by one; of more, those of all namespaces are listed together. */
const MOST_SINGLE_READS = 16;
/** Policies read at the same time. */
const POLICY_READS_AT_ONCE = 8;

/** The namespaces in scope, ordered by name: from memory where it vouches for them, otherwise live. */
export function createNamespaceList({
  namespaces,
  namespaceCache,
  live,
  policyCache,
  scope,
}: NamespaceListDependencies): (actor: Actor, deadline: Deadline) => Promise<readonly NamespaceAccess[]> {
  const allNames = sharedReads((_all, deadline) => namespaces.names(deadline));

  const namesInScope = async (deadline: Deadline): Promise<readonly string[]> => {
    if (scope.named !== undefined) return scope.named;
    const names = namespaceCache?.names() ?? (await allNames.join('', deadline));
    return names.filter((name) => scope.contains(name)).sort();
  };

  const readLive = async (
    names: readonly string[],
    deadline: Deadline,
  ): Promise<ReadonlyMap<string, PolicyState>> => {
    if (scope.named !== undefined || names.length <= MOST_SINGLE_READS) {
      const limited = createConcurrencyLimit(POLICY_READS_AT_ONCE);
      const readOne = async (name: string) =>
        [name, await live.readShared(name, undefined, deadline)] as const;
      return new Map(await Promise.all(names.map((name) => limited(() => readOne(name)))));
    }
    const read = await live.readAll(deadline);
    const absent = { state: read === undefined ? 'unavailable' : 'absent' } as const;
    return new Map(names.map((name) => [name, read?.get(name) ?? absent]));
  };

  return async (actor, deadline) => {
    const names = await namesInScope(deadline);
    if (actor.admin) return names.map((name) => ({ name, canCreate: true }));
    const known = new Map(names.map((name) => [name, policyCache?.state(name)]));
    const unknown = names.filter((name) => known.get(name) === undefined);
    const read = unknown.length === 0 ? known : await readLive(unknown, deadline);
    return names.map((name) => {
      const policy = known.get(name) ?? read.get(name) ?? { state: 'unavailable' };
      return { name, canCreate: includesLevel(decideInNamespace(actor, policy).level, 'write') };
    });
  };
}
