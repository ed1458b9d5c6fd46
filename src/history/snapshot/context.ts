import type { AnnotationCodec } from '../../kube/annotation-codec.ts';
import type { SnapshotStore } from '../ports.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';

/** The dependencies of reading and writing snapshots. */
export interface HistoryContext<Method extends keyof SnapshotStore> {
  readonly store: Pick<SnapshotStore, Method>;
  readonly codec: AnnotationCodec;
}

/** The history could not be prepared for a change. The live Secret was not changed. */
export function historyUnavailable(step: string, cause?: unknown): ServiceError {
  const known = isServiceError(cause) ? cause : undefined;
  return new ServiceError(
    'historyUnavailable',
    'The history of this Secret is unavailable; the Secret was not changed',
    {
      reason: known === undefined ? step : `${step}:${known.reason ?? known.code}`,
      cause,
      retryAfterSeconds: known?.retryAfterSeconds,
    },
  );
}

/** For `catch`: the same for whatever a step failed with. */
export function unavailableAt(step: string): (cause: unknown) => never {
  return (cause) => {
    throw historyUnavailable(step, cause);
  };
}

/** The same for someone whose time is over before the history is read. */
export function historyNotReadInTime(): ServiceError {
  return historyUnavailable('historyNotRead:deadlineExceeded');
}
