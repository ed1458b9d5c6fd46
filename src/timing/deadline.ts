/**
 * The deadline of one piece of work (an API request, one reconcile). Everything done for it ends with it, including
 * retries and waits.
 */
export interface Deadline {
  /** Aborted at the deadline, or when the work is cancelled. */
  readonly signal: AbortSignal;
  /** Milliseconds left; 0 or less once it has passed. */
  remainingMs(): number;
}

/** A deadline `budgetMs` from now. `stop`, when given, cancels the work earlier. */
export function startDeadline(budgetMs: number, stop?: AbortSignal): Deadline {
  const end = performance.now() + budgetMs;
  // What is left of another deadline is no whole number, which `AbortSignal.timeout` requires.
  const timeout = AbortSignal.timeout(Math.max(0, Math.ceil(budgetMs)));
  return {
    signal: stop === undefined ? timeout : AbortSignal.any([stop, timeout]),
    remainingMs: () => end - performance.now(),
  };
}
