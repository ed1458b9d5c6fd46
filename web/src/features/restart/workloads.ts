import type { Consumer, ConsumerRef, RestartResult } from '../../api/secrets-api.ts';
import { WORKLOADS_WORDS } from '../../words/restart.ts';

type Use = Consumer['uses'][number];

const USES: Readonly<Record<Use, string>> = {
  env: WORKLOADS_WORDS.singleVariables,
  envFrom: WORKLOADS_WORDS.allVariables,
  volume: WORKLOADS_WORDS.files,
  imagePullSecret: WORKLOADS_WORDS.pulling,
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
  paused: WORKLOADS_WORDS.paused,
  notFound: WORKLOADS_WORDS.gone,
  replaced: WORKLOADS_WORDS.replaced,
  noConsumer: WORKLOADS_WORDS.unused,
  conflict: WORKLOADS_WORDS.busy,
  forbidden: WORKLOADS_WORDS.forbidden,
  rejected: WORKLOADS_WORDS.refused,
  unavailable: WORKLOADS_WORDS.noAnswer,
  uncertain: WORKLOADS_WORDS.unknown,
};

/** Why a workload could not be restarted. */
export function reasonInWords(reason: Reason): string {
  return REASONS[reason];
}
