import {
  hasAnyList,
  hasRules,
  RULE_LISTS,
  rulesOf,
  type AccessRules,
  type RuleList,
} from '../contract/access-rules.ts';
import { isListOfTexts, jsonOrUndefined } from '../contract/json-text.ts';
import { ignoring, isServiceError, ServiceError } from '../errors/service-error.ts';
import type { Deadline } from '../timing/deadline.ts';
import { SharedRuns } from '../timing/shared-runs.ts';
import { parseBindings, type MachineBindings } from './machine-bindings.ts';

/** The key of a policy that binds machines. */
const MACHINES_KEY = 'machines';

/** A namespace's policy object as the cluster holds it, not yet judged. */
export interface StoredPolicy {
  readonly namespace: string;
  /** Opaque; grows with every change of the object. */
  readonly resourceVersion: string;
  /** The text values of the ConfigMap. */
  readonly data: ReadonlyMap<string, string>;
  /** Keys that the ConfigMap holds as binary values instead. */
  readonly binaryKeys: readonly string[];
}

/** Where namespace policies are kept: always live, never from a cache. */
export interface PolicyStore {
  /**
   * The policy of one namespace. Undefined only when the cluster said 404 for this very object.
   * @throws {ServiceError} on every other failure
   */
  read(namespace: string, deadline: Deadline): Promise<StoredPolicy | undefined>;
  /**
   * The policies of all namespaces (needs cluster-wide rights); a namespace that is missing has none.
   * @throws {ServiceError} when any part of the answer is missing
   */
  readAll(deadline: Deadline): Promise<readonly StoredPolicy[]>;
}

/** The state of a namespace's rules when a decision is made. */
export type PolicyState =
  /** The cluster answered that there is no policy object: every signed-in user is allowed. */
  | { readonly state: 'absent' }
  /** Valid rules; without any entry they are open, too. Machines are absent where the policy has no key for them. */
  | { readonly state: 'rules'; readonly rules: AccessRules; readonly machines?: MachineBindings }
  /** The object is there and cannot be understood. */
  | { readonly state: 'invalid'; readonly key: RuleList }
  /** It could not be read. */
  | { readonly state: 'unavailable'; readonly retryAfterSeconds?: number | undefined };

export type KnownPolicy = PolicyState | { readonly state: 'notRead' };
export const NOT_READ: KnownPolicy = { state: 'notRead' };

/** When a read began. Its result is newer than everything noted before, and not newer than what was noted after. */
export interface ReadStart {
  readonly sequence: number;
}

/** A policy as a live read returned it. */
export interface ObservedPolicy {
  readonly state: PolicyState;
  /** Undefined when there was none. */
  readonly resourceVersion: string | undefined;
  readonly since: ReadStart;
  /** A revision that the cluster had reached when the read began. */
  readonly reached: string | undefined;
}

/** Policies from memory, for lists and hints. No write depends on them. */
export interface PolicyCache {
  /**
   * Undefined when the cached policy may be stale; it is then read live. With a revision, only a policy that was in
   * force at that revision or later is returned.
   */
  state(namespace: string, reached?: string): PolicyState | undefined;
  /** Call it before a live read. */
  startRead(): ReadStart;
  /**
   * Notes the result of a live read. While the cache contradicts it, the cached policy is not used. A result that is
   * older than the cached one is ignored.
   */
  noteRead(namespace: string, observed: ObservedPolicy): void;
}

/**
 * Judges a stored policy. Keys other than the six lists and `machines` are ignored. With writers or readers alone it is invalid: it
 * would leave the namespace open to everyone.
 */
export function parsePolicy(stored: StoredPolicy | undefined): PolicyState {
  if (stored === undefined) return { state: 'absent' };
  const lists: Partial<Record<RuleList, readonly string[]>> = {};
  for (const key of RULE_LISTS) {
    const entries = parseList(stored, key);
    if (entries === undefined) return { state: 'invalid', key };
    lists[key] = entries;
  }
  const rules = rulesOf({ allowedGroups: [], allowedUsers: [], ...lists });
  if (!hasRules(rules) && hasAnyList(rules)) return { state: 'invalid', key: 'allowedGroups' };
  return { state: 'rules', rules, ...machinesOf(stored) };
}

function machinesOf({ namespace, data, binaryKeys }: StoredPolicy): { readonly machines?: MachineBindings } {
  const text = data.get(MACHINES_KEY);
  if (text === undefined && !binaryKeys.includes(MACHINES_KEY)) return {};
  return { machines: parseBindings(text ?? '', namespace) };
}

/** The entries under one key, exactly as written (commas allowed); undefined when they are not valid. */
function parseList(stored: StoredPolicy, key: RuleList): readonly string[] | undefined {
  if (stored.binaryKeys.includes(key)) return undefined;
  const text = stored.data.get(key);
  if (text === undefined) return [];
  const parsed = jsonOrUndefined(text);
  return isListOfTexts(parsed) && parsed.every((entry) => entry.trim() !== '') ? parsed : undefined;
}

function observedPolicy(stored: StoredPolicy | undefined, since: ReadStart) {
  return { state: parsePolicy(stored), resourceVersion: stored?.resourceVersion, since };
}

/** Policies as the cluster holds them now. If a policy cannot be read, it is `unavailable`. */
export type LivePolicies = ReturnType<typeof createLivePolicies>;

export function createLivePolicies(policies: PolicyStore, policyCache: PolicyCache | undefined) {
  const startRead = () => policyCache?.startRead() ?? { sequence: 0 };
  const observe = async (namespace: string, deadline: Deadline) => {
    const since = startRead();
    return observedPolicy(await policies.read(namespace, deadline), since);
  };
  const note = (namespace: string, observed: Omit<ObservedPolicy, 'reached'>, reached?: string) => {
    policyCache?.noteRead(namespace, { ...observed, reached });
    return observed.state;
  };
  const shared = sharedReads(observe);
  const all = sharedReads(async (_all, deadline) => {
    const since = startRead();
    const stored = await policies.readAll(deadline);
    const found = new Map(stored.map((policy) => [policy.namespace, observedPolicy(policy, since)]));
    const absent = observedPolicy(undefined, since);
    return (namespace: string, reached?: string) => note(namespace, found.get(namespace) ?? absent, reached);
  });
  const stateOf = async (
    namespace: string,
    reached: string | undefined,
    observation: ReturnType<typeof observe>,
  ): Promise<PolicyState> => {
    try {
      return note(namespace, await observation, reached);
    } catch (error) {
      // Any failure (permissions, network, overload) makes the policy unusable. The cluster module has logged and
      // counted it.
      if (!isServiceError(error)) throw error;
      // The next request of the client reads the policy again, so Retry-After of the cluster is passed on.
      return { state: 'unavailable', retryAfterSeconds: error.retryAfterSeconds };
    }
  };
  return {
    read: (namespace: string, deadline: Deadline) =>
      stateOf(namespace, undefined, observe(namespace, deadline)),
    /**
     * For lists and hints: concurrent requests share one read.
     * @param reached a revision that the cluster has reached: the policy is in force at that revision or after
     */
    readShared: (namespace: string, reached: string | undefined, deadline: Deadline) =>
      stateOf(namespace, reached, shared.join(namespace, deadline)),
    /**
     * Returns the same for each namespace out of one list of all, which concurrent requests share; undefined when that
     * cannot be read.
     */
    readAll: (deadline: Deadline) => all.join('', deadline).catch(ignoring()),
  };
}

/** The contract's text for a policy that is needed and cannot be read or parsed. */
const POLICY_UNAVAILABLE = 'Namespace access policy is unavailable';

/** With usable rules, only the key `machines` can be the cause. */
const REASONS: Readonly<Record<string, string>> = { invalid: 'policyInvalid', rules: 'machinesMalformed' };

export function policyUnavailable(policy: KnownPolicy): ServiceError {
  return new ServiceError('policyUnavailable', POLICY_UNAVAILABLE, {
    reason: REASONS[policy.state] ?? 'policyUnavailable',
    retryAfterSeconds: policy.state === 'unavailable' ? policy.retryAfterSeconds : undefined,
  });
}

const AT_ONCE = 16;
const WAITING = 256;

/** Live reads for lists and hints. Concurrent requests share one read, which begins after all of them. */
export function sharedReads<Result extends object>(
  run: (key: string, deadline: Deadline) => Promise<Result>,
): SharedRuns<string, Result> {
  return new SharedRuns({
    keyOf: (key) => key,
    run,
    atOnce: AT_ONCE,
    queue: {
      waiting: WAITING,
      refusal: { message: 'Too many requests wait for the cluster; try again', reason: 'sharedReads' },
    },
    deadlineExceeded: () =>
      new ServiceError('unavailable', 'The cluster did not answer in time', { reason: 'deadlineExceeded' }),
  });
}
