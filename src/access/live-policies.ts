import type { Deadline } from '../timing/deadline.ts';
import { SharedRuns } from '../timing/shared-runs.ts';
import { isServiceError, ServiceError } from '../errors/service-error.ts';
import type { KnownPolicy } from './decision.ts';
import {
  parsePolicy,
  type ObservedPolicy,
  type PolicyCache,
  type PolicyState,
  type PolicyStore,
} from './policy.ts';

/** Policies as the cluster holds them now. If a policy cannot be read, it is `unavailable`. */
export type LivePolicies = ReturnType<typeof createLivePolicies>;

type Observation = Omit<ObservedPolicy, 'reached'>;

export function createLivePolicies(policies: PolicyStore, policyCache: PolicyCache | undefined) {
  const observe = async (namespace: string, deadline: Deadline): Promise<Observation> => {
    const since = policyCache?.startRead() ?? { sequence: 0 };
    const stored = await policies.read(namespace, deadline);
    return { state: parsePolicy(stored), resourceVersion: stored?.resourceVersion, since };
  };
  const shared = sharedReads(observe);
  const all = sharedReads(async (_all, deadline) => {
    const stored = await policies.readAll(deadline);
    return new Map(stored.map((policy) => [policy.namespace, parsePolicy(policy)]));
  });
  const stateOf = async (
    namespace: string,
    reached: string | undefined,
    observation: Promise<Observation>,
  ): Promise<PolicyState> => {
    try {
      const observed = await observation;
      policyCache?.noteRead(namespace, { ...observed, reached });
      return observed.state;
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
     * The policies of all namespaces, by namespace; undefined when they cannot be read. Concurrent requests share one
     * read.
     */
    readAll: (deadline: Deadline) =>
      all.join('', deadline).catch((error: unknown) => {
        if (isServiceError(error)) return undefined;
        throw error;
      }),
  };
}

/** The contract's text for a policy that is needed and cannot be read or parsed. */
const POLICY_UNAVAILABLE = 'Namespace access policy is unavailable';

/** Rules that are usable are so for people alone. */
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
