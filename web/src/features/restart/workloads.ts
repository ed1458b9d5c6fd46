import type { Consumer, ConsumerRef, RestartResult } from '../../api/secrets-api.ts';

type Use = Consumer['uses'][number];

const USES: Readonly<Record<Use, string>> = {
  env: 'single environment variables',
  envFrom: 'all keys as environment variables',
  volume: 'files in a volume',
  imagePullSecret: 'pulling images',
};

/** How a workload uses the Secret, in words. */
export function usesInWords(uses: readonly Use[]): string {
  return uses.map((use) => USES[use]).join(', ');
}

/** A CronJob starts new pods anyway; everything else runs on with what it read when it started. */
export function picksUpByItself({ kind }: ConsumerRef): boolean {
  return kind === 'CronJob';
}

/**
 * Environment variables are read once, when a container starts. Mounted files follow the Secret after a while,
 * and credentials for pulling images are read at the next pull, so neither needs a restart by itself.
 */
export function needsRestart(consumer: Consumer): boolean {
  return !picksUpByItself(consumer) && consumer.uses.some((use) => use === 'env' || use === 'envFrom');
}

/** One workload among those of a namespace. */
export function idOf({ kind, name }: ConsumerRef): string {
  return `${kind}/${name}`;
}

type Reason = RestartResult['failed'][number]['reason'];

const REASONS: Readonly<Record<Reason, string>> = {
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

/** Why a workload could not be restarted. */
export function reasonInWords(reason: Reason): string {
  return REASONS[reason];
}
