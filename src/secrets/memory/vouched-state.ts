import { ServiceError } from '../../errors/service-error.ts';
import type { Deadline } from '../../timing/deadline.ts';
import type { LiveReason } from '../list-cache.ts';
import type { CurrentState, NamespaceStates } from './namespace-states.ts';
import { settleCache, type SettleDependencies } from './settle-cache.ts';

export interface VouchedStateDependencies extends SettleDependencies {
  readonly states: NamespaceStates;
}

const RETRY_AFTER_SECONDS = 2;

export function notVouched(reason: LiveReason): ServiceError {
  return new ServiceError('cacheUnavailable', 'The list is not up to date at the moment; try again', {
    reason,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

/**
 * The state of a namespace that the cache vouches for, if need be after it was settled.
 * @throws {ServiceError} `cacheUnavailable`
 */
export async function vouchedState(
  dependencies: VouchedStateDependencies,
  namespace: string,
  deadline: Deadline,
): Promise<CurrentState> {
  const { states } = dependencies;
  const first = await states.of(namespace, deadline);
  if (typeof first !== 'string') return first;
  await settleCache(dependencies, namespace, first, deadline);
  const second = await states.of(namespace, deadline);
  if (typeof second === 'string') throw notVouched(second);
  return second;
}
