import { isDeepStrictEqual } from 'node:util';
import type { PolicyCache, PolicyState } from '../access/policy.ts';
import type { Reflector } from './reflector.ts';

/** What is kept of a policy: what it says, judged on arrival. */
export interface CachedPolicy {
  readonly namespace: string;
  readonly state: PolicyState;
}

export interface PolicyCacheOptions {
  /** The reflector that follows a namespace's policy: one for all, or one of its own. */
  readonly reflectorOf: (
    namespace: string,
  ) => Pick<Reflector<CachedPolicy>, 'objects' | 'status'> | undefined;
  readonly policyName: string;
  readonly maxSilenceMs: number;
}

/** Anybody may ask for namespaces that do not exist; what is remembered of them is bounded. */
const MAX_CONTRADICTIONS = 1_000;

/**
 * The policy cache over reflectors. It vouches only while it is synced, its watch gives signs of life, and it does
 * not contradict what this replica has read live: people who were refused by the new rules see no list by the old.
 */
export function createPolicyCache({
  reflectorOf,
  policyName,
  maxSilenceMs,
}: PolicyCacheOptions): PolicyCache {
  /** What was read live last, where the cache says something else. */
  const contradictions = new Map<string, PolicyState>();

  const held = (namespace: string): PolicyState =>
    reflectorOf(namespace)?.objects.get(namespace, policyName)?.state ?? { state: 'absent' };

  return {
    state(namespace) {
      const status = reflectorOf(namespace)?.status();
      if (!status?.synced || status.lacksRight || status.silenceMs > maxSilenceMs) return undefined;
      const state = held(namespace);
      const live = contradictions.get(namespace);
      if (live === undefined) return state;
      if (!isDeepStrictEqual(live, state)) return undefined;
      contradictions.delete(namespace);
      return state;
    },
    sawLive(namespace, state) {
      contradictions.delete(namespace);
      if (isDeepStrictEqual(state, held(namespace))) return;
      contradictions.set(namespace, state);
      for (const [oldest] of contradictions) {
        if (contradictions.size <= MAX_CONTRADICTIONS) return;
        contradictions.delete(oldest);
      }
    },
  };
}
