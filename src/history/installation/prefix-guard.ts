import { once } from 'node:events';
import { startDeadline } from '../../timing/deadline.ts';
import { systemClock } from '../../timing/clock.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../observability/logger.ts';
import type { ReadinessCheck } from '../../observability/readiness.ts';
import { prefixMismatch, recordedPrefix, type PrefixSource } from './lease.ts';

/** Runs until it is aborted. */
type Task = (signal: AbortSignal) => Promise<void>;

export type PrefixGuard = ReturnType<typeof createPrefixGuard>;

export interface PrefixGuardOptions extends PrefixSource {
  /** Called when another prefix is found after the start. The process must exit. */
  readonly onMismatch: (error: ServiceError) => void;
  readonly logger: Logger;
  readonly clock?: Pick<typeof systemClock, 'sleep' | 'wallNow'>;
}

/** The start waits this long for the first attempt. Then the service is live and not ready. */
const ATTEMPT_BUDGET_MS = 3_000;
const RETRY_MS = 1_000;
/** Used when the Lease may not be accessed: the permission may be granted later. */
const REFUSED_RETRY_MS = 30_000;
/** The cluster may answer later. Other failures do not pass by themselves. */
const MAY_BE_LATER = ['unavailable', 'uncertain', 'conflict', 'exists', 'expired'] as const;
/** The cluster answers, but not about Leases. A failure of Leases alone must not block Secrets. */
const ANSWERED = ['clusterStatus:', 'clusterThrottled'] as const;

/** Ensures that no Secret is read or written before it is confirmed that the stored ones have this prefix. */
export function createPrefixGuard(options: PrefixGuardOptions) {
  const { onMismatch, clock = systemClock } = options;
  const stop = new AbortController();
  const settled = new AbortController();
  let running: Promise<void> = Promise.resolve();

  const goOn = async (firstMs: number): Promise<void> => {
    for (let waitMs: number | undefined = firstMs; waitMs !== undefined;) {
      await clock.sleep(waitMs, stop.signal);
      if (stop.signal.aborted) return;
      try {
        waitMs = await checkPrefix(options, settled, stop.signal);
      } catch (error) {
        if (!isServiceError(error)) throw error;
        onMismatch(error);
        return;
      }
    }
  };
  const isSettled = () => settled.signal.aborted;
  return {
    /** Its start ends after the first attempt. */
    component: {
      name: 'prefix',
      start: async () => {
        const waitMs = await checkPrefix(options, settled, stop.signal);
        if (waitMs !== undefined) running = goOn(waitMs);
      },
      stop: async () => {
        stop.abort();
        await running;
      },
    },
    readiness: { name: 'prefix', isReady: isSettled, detail: () => 'not read yet' } satisfies ReadinessCheck,
    /** Whether the recorded prefix equals the configured one, or cannot be checked. */
    isSettled,
    /** Rejects with a 503 without doing the work, until it is settled. */
    ifSettled: <Result>(work: () => Promise<Result>): Promise<Result> =>
      isSettled() ? work() : Promise.reject(notChecked()),
    /** Returns the task with its start delayed until the prefix is settled. */
    whenSettled:
      (task: Task): Task =>
      async (signal) => {
        const either = AbortSignal.any([settled.signal, signal]);
        if (!either.aborted) await once(either, 'abort');
        await task(signal);
      },
  };
}

/**
 * Compares the recorded prefix with the configured one.
 *
 * @param settled is aborted once the prefix is confirmed, or cannot be checked
 * @returns how long to wait before the next attempt; undefined when nothing remains to be checked
 * @throws {ServiceError} when another prefix is recorded
 */
async function checkPrefix(
  { logger, clock = systemClock, ...source }: PrefixGuardOptions,
  settled: AbortController,
  stopped: AbortSignal,
): Promise<number | undefined> {
  let recorded: Awaited<ReturnType<typeof recordedPrefix>>;
  try {
    recorded = await recordedPrefix(source, clock.wallNow, startDeadline(ATTEMPT_BUDGET_MS, stopped));
  } catch (error) {
    if (!isServiceError(error)) throw error;
    const mayBeLater = isServiceError(error, ...MAY_BE_LATER);
    const isAnswered = ANSWERED.some((answered) => error.reason?.startsWith(answered));
    if ((!mayBeLater || isAnswered) && !settled.signal.aborted) {
      logger.warn('cannot check the annotation prefix', { code: error.code, reason: error.reason });
      settled.abort();
    }
    return mayBeLater ? RETRY_MS : REFUSED_RETRY_MS;
  }
  if (recorded.prefix !== source.own.prefix) throw prefixMismatch(source.own.prefix, recorded);
  settled.abort();
  return undefined;
}

function notChecked(): ServiceError {
  return new ServiceError('unavailable', 'The service has not reached the cluster yet; try again', {
    reason: 'annotationPrefixNotChecked',
    retryAfterSeconds: RETRY_MS / 1_000,
  });
}
