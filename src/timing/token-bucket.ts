import type { Clock } from './clock.ts';

/** Resolves when it is the caller's turn, or as soon as `signal` is aborted. */
export type TakeTurn = (signal: AbortSignal) => Promise<void>;

export interface TokenBucketOptions {
  readonly perSecond: number;
  /** So many turns follow each other without a wait after a pause. */
  readonly burst: number;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
}

/** Spaces work evenly, in the order of its callers. A turn that is not used, because its caller was aborted, is lost. */
export function createTokenBucket({ perSecond, burst, clock }: TokenBucketOptions): TakeTurn {
  const gapMs = 1_000 / perSecond;
  /** The next turn, if there were no bursts. */
  let next = -Infinity;
  return (signal) => {
    const now = clock.now();
    const turn = Math.max(next, now);
    next = turn + gapMs;
    const waitMs = turn - (burst - 1) * gapMs - now;
    return waitMs > 0 ? clock.sleep(waitMs, signal) : Promise.resolve();
  };
}
