import type { Consumer, ConsumerRef } from '../../api/secrets-api.ts';
import { idOf } from './workloads.ts';

type Rollout = NonNullable<Consumer['rollout']>;

/** How far a restarted workload is. One that has failed does not go on by itself. */
export interface Progress {
  readonly state: 'waiting' | 'done' | 'failed';
  readonly text: string;
}

const REASONS: Readonly<Record<NonNullable<Rollout['reason']>, string>> = {
  progressDeadlineExceeded: 'progress deadline exceeded',
  onDelete: 'its pods are replaced once someone deletes them',
};

/**
 * How far a workload is, among those that use the Secret now.
 * @param isLate whether it is no longer waited for
 */
export function progressOf(
  workload: ConsumerRef,
  consumers: readonly Consumer[] | undefined,
  isLate = false,
): Progress {
  const found = consumers?.find((consumer) => idOf(consumer) === idOf(workload));
  const rollout = found?.rollout;
  if (consumers !== undefined && rollout === undefined) {
    return { state: 'failed', text: 'Not finished: it no longer uses this Secret' };
  }
  if (rollout?.done === true) return { state: 'done', text: 'Restarted' };
  if (rollout?.reason !== undefined) {
    return { state: 'failed', text: `Not finished: ${REASONS[rollout.reason]}` };
  }
  if (isLate)
    return { state: 'failed', text: ['Not finished after 10 minutes', ...counts(rollout)].join(': ') };
  return { state: 'waiting', text: counts(rollout)[0] ?? 'Started' };
}

function counts(rollout: Rollout | undefined): readonly string[] {
  if (rollout === undefined) return [];
  const { desired, updated, available } = rollout;
  const ofAll = `${Math.min(updated, desired)} of ${desired} updated`;
  return [updated < desired ? ofAll : `${ofAll}, ${Math.min(available, desired)} available`];
}
