import { startDeadline, type Deadline } from '../../timing/deadline.ts';
import { isServiceError } from '../../errors/service-error.ts';
import type { Rules, Step } from './decide.ts';
import type { AnnotationCodec } from '../../kube/annotation-codec.ts';
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

/** This replica must not take the step now. */
class StepForbidden extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
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
  if (left <= 0) throw new StepForbidden('leadershipOver');
  const write = startDeadline(left, deadline.signal);
  try {
    switch (step.kind) {
      case 'relabel':
        await store.patchMetadata(object, object, { labels: step.labels }, write);
        break;
      case 'annotateOrphan': {
        const annotations = codec.orphanedAt(new Date(requireTime(trustedNow)));
        await store.patchMetadata(object, object, { annotations }, write);
        break;
      }
      case 'clearOrphan':
        await store.patchMetadata(object, object, { annotations: codec.orphanedAt(undefined) }, write);
        break;
      case 'clearFinal':
        await store.patchMetadata(object, object, codec.notFinal, write);
        break;
      case 'removeOrphan':
        requireTime(trustedNow);
        await store.delete(object, object, write);
        break;
      case 'prune':
        await store.delete(object, object, write);
    }
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

function requireTime(trustedNow: () => number | undefined): number {
  const now = trustedNow();
  if (now === undefined) throw new StepForbidden('timeNotTrusted');
  return now;
}

/** @throws a bug */
export function failureOf(error: unknown): Failure {
  if (error instanceof StepForbidden) return { kind: 'retry', reason: error.reason, isRefused: false };
  if (!isServiceError(error)) throw error;
  const facts = { reason: error.reason ?? error.code, isRefused: error.code === 'admissionRefused' };
  switch (error.code) {
    case 'conflict': // The watch has not caught up yet.
    case 'unavailable':
    case 'uncertain':
    case 'rbacForbidden':
    case 'admissionRefused':
      return { kind: 'retry', ...facts };
    default:
      return { kind: 'terminal', ...facts };
  }
}
