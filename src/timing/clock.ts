import { setTimeout } from 'node:timers/promises';

/** Time as an argument, so that tests need not wait. */
export interface Clock {
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  /** The wall clock in milliseconds, for dates in headers. */
  readonly wallNow: () => number;
  /** Resolves after `ms`, or as soon as `signal` is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wallNow: () => Date.now(),
  // The one failure is that of the signal, which ends the wait.
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }).catch(() => undefined),
};
