import type { Deadline } from '../timing/deadline.ts';
import { createSharedRuns, type SharedRuns } from '../timing/shared-runs.ts';
import { ServiceError } from '../errors/service-error.ts';

const BUDGET_MS = 15_000;
const AT_ONCE = 16;
const WAITING = 256;
const CALLERS = 2_000;
const RETRY_AFTER_SECONDS = 2;

/** Live reads for lists and hints. Concurrent requests share one read, which begins after all of them. */
export function sharedReads<Result>(
  run: (key: string, deadline: Deadline) => Promise<Result>,
): SharedRuns<string, Result> {
  return createSharedRuns({
    keyOf: (key) => key,
    run,
    budgetMs: BUDGET_MS,
    atOnce: AT_ONCE,
    waiting: WAITING,
    callers: CALLERS,
    tooMany: () =>
      new ServiceError('overloaded', 'Too many requests wait for the cluster; try again', {
        reason: 'sharedReads',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      }),
    deadlineExceeded: () =>
      new ServiceError('unavailable', 'The cluster did not answer in time', { reason: 'deadlineExceeded' }),
  });
}
