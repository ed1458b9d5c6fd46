import { startDeadline, type Deadline } from '../../timing/deadline.ts';
import { isServiceError } from '../../errors/service-error.ts';
import type { Step } from './decide.ts';
import type { ReconcilerDependencies } from './ports.ts';

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
  { store, codec, remainingMs, observer }: ReconcilerDependencies,
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
    observer.stepDone(step.kind, object);
  } catch (error) {
    // Gone already, so there is nothing to remove or to patch.
    if (!isServiceError(error, 'notFound')) throw error;
  }
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
