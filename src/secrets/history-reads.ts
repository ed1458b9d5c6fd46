import { ServiceError } from '../errors/service-error.ts';
import { historyUnavailable } from '../history/history.ts';
import type { Deadline } from '../timing/deadline.ts';
import { createSharedRuns, type SharedRuns } from '../timing/shared-runs.ts';

const CALLERS = 500;
const BUDGET_MS = 15_000;
const RETRY_AFTER_SECONDS = 2;

export interface HistoryReads<Subject, Result> {
  /** Subjects of one key are equal. */
  readonly keyOf: (subject: Subject) => string;
  readonly run: (subject: Subject, deadline: Deadline) => Promise<Result>;
  /** Runs at once, over all keys. */
  readonly atOnce: number;
  /** Keys that wait for their turn. */
  readonly waiting: number;
  /** What someone gets who would be one too many, and why, for the log. */
  readonly refusal: { readonly message: string; readonly reason: string };
  /** Counts such a request. */
  readonly onRefused: () => void;
}

/**
 * Reads history for everyone who may see it. Concurrent requests for the same share one run, begun after all of them;
 * beyond a short queue they are refused.
 * @throws {ServiceError} `historyUnavailable` or `overloaded`
 */
export function shareHistoryReads<Subject, Result>({
  refusal: { message, reason },
  onRefused,
  ...work
}: HistoryReads<Subject, Result>): SharedRuns<Subject, Result> {
  return createSharedRuns({
    ...work,
    budgetMs: BUDGET_MS,
    callers: CALLERS,
    tooMany: () => {
      onRefused();
      return new ServiceError('overloaded', message, { reason, retryAfterSeconds: RETRY_AFTER_SECONDS });
    },
    deadlineExceeded: () =>
      historyUnavailable(
        'historyNotRead',
        new ServiceError('unavailable', 'The history was not read in time', { reason: 'deadlineExceeded' }),
      ),
  });
}
