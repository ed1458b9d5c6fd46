import type { Consumer, ConsumerRef, RestartResult } from '../../api/secrets-api.ts';

type Use = Consumer['uses'][number];

const USES: Readonly<Record<Use, string>> = {
  env: 'single environment variables',
  envFrom: 'all keys as environment variables',
  volume: 'files in a volume',
  imagePullSecret: 'pulling images',
};

/** How a workload uses the Secret, in words. */
export const usesInWords = (uses: readonly Use[]): string => uses.map((use) => USES[use]).join(', ');

/** A CronJob starts new pods anyway; everything else runs on with what it read when it started. */
export const picksUpByItself = ({ kind }: ConsumerRef): boolean => kind === 'CronJob';

/**
 * Environment variables are read once, when a container starts. Mounted files follow the Secret after a while,
 * and credentials for pulling images are read at the next pull, so neither needs a restart by itself.
 */
export function needsRestart(consumer: Consumer): boolean {
  return !picksUpByItself(consumer) && consumer.uses.some((use) => use === 'env' || use === 'envFrom');
}

/** One workload among those of a namespace. */
export const idOf = ({ kind, name }: ConsumerRef): string => `${kind}/${name}`;

/** Why a workload could not be restarted. */
export const FAILURES: Readonly<Record<RestartResult['failed'][number]['reason'], string>> = {
  paused: 'Its rollout is paused. Resume it first.',
  notFound: 'It no longer exists.',
  replaced: 'It was deleted and created again, so it has the new values.',
  noConsumer: 'It no longer uses this Secret.',
  conflict: 'It kept changing. Try again.',
  forbidden: 'The service may not change it. Contact an administrator.',
  rejected: 'The cluster did not accept the change. Contact an administrator.',
  unavailable: 'The cluster did not answer. Try again.',
  uncertain: 'The answer was lost: it may or may not have been restarted. Check before you try again.',
};

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
