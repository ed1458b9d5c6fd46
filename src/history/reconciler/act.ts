import { startDeadline, type Deadline } from '../../timing/deadline.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import type { Rules, Step } from './decide.ts';
import type { AnnotationCodec } from '../../kube/annotation-codec.ts';
import type { MetadataChange } from '../../kube/secret.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { SecretMetadataStore } from '../ports.ts';
import type { IndexedSecret } from '../snapshot/indexed-secret.ts';

export interface ReconcilerDependencies extends Rules {
  readonly codec: Pick<AnnotationCodec, 'orphanedAt' | 'notFinal'>;
  /** The live Secret and the objects that claim to be its history, by key. */
  readonly indexed: (key: string) => readonly IndexedSecret[];
  readonly store: SecretMetadataStore;
  /** Checked before each write. The write ends before this time. */
  readonly remainingMs: () => number;
  /** The cluster's time: the age of orphans outlives replicas. Undefined until the first response of the cluster. */
  readonly clusterNow: () => number | undefined;
  /** The local clock, which only confirms the cluster's. */
  readonly wallNow: () => number;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly metrics: Pick<Metrics, 'inc'>;
}

/** A failed step or read, by what happens next. Reasons are constants, for the log. */
export interface Failure {
  readonly kind: 'retry' | 'terminal';
  readonly reason: string;
  /** A webhook or a policy of the cluster refused it. */
  readonly isRefused: boolean;
}

/** Takes one step. Returns when the cluster has accepted it, or the object is gone already. */
export async function act(
  { store, codec, remainingMs, logger, metrics }: ReconcilerDependencies,
  step: Step,
  trustedNow: () => number | undefined,
  deadline: Deadline,
): Promise<undefined> {
  const { object } = step;
  const left = remainingMs();
  if (left <= 0) throw notNow('leadershipOver');
  const write = startDeadline(left, deadline.signal);
  const change = changeOf(step, codec, trustedNow);
  try {
    if (change === undefined) await store.delete(object, object, write);
    else await store.patchMetadata(object, object, change, write);
    metrics.inc('service_history_steps_total', { step: step.kind });
    logger.info('reconciled history object', stepFields(step));
  } catch (error) {
    // Gone already, so there is nothing to remove or to patch.
    if (!isServiceError(error, 'notFound')) throw error;
  }
}

export function stepFields({ kind, object: { namespace, name, uid } }: Step) {
  return { step: kind, namespace, name, uid };
}

/** What a step changes of its snapshot; undefined for one that removes it. */
function changeOf(
  { kind, object }: Step,
  codec: ReconcilerDependencies['codec'],
  trustedNow: () => number | undefined,
): MetadataChange | undefined {
  switch (kind) {
    case 'relabel':
      return { labels: object.parsed.lostLabels };
    case 'annotateOrphan':
      return { annotations: codec.orphanedAt(new Date(requireTime(trustedNow))) };
    case 'clearOrphan':
      return { annotations: codec.orphanedAt(undefined) };
    case 'clearFinal':
      return codec.notFinal;
    case 'removeOrphan':
      requireTime(trustedNow);
      return undefined;
    case 'prune':
      return undefined;
  }
}

function requireTime(trustedNow: () => number | undefined): number {
  const now = trustedNow();
  if (now === undefined) throw notNow('timeNotTrusted');
  return now;
}

/** This replica must not take the step now. */
function notNow(reason: string): ServiceError {
  return new ServiceError('unavailable', 'The history cannot be reconciled now', { reason });
}

/** A conflict: the watch has not caught up yet. */
const MAY_PASS = ['conflict', 'unavailable', 'uncertain', 'rbacForbidden', 'admissionRefused'] as const;

/** @throws a bug */
export function failureOf(error: unknown): Failure {
  if (!isServiceError(error)) throw error;
  return {
    kind: isServiceError(error, ...MAY_PASS) ? 'retry' : 'terminal',
    reason: error.reason ?? error.code,
    isRefused: error.code === 'admissionRefused',
  };
}
