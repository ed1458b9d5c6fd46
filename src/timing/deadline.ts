/**
 * The time budget of one piece of work (an API request, one reconcile): everything done on its behalf,
 * retries and waits included, ends with it.
 */
export interface Call {
  /** Aborted when the budget is spent, or when the service gives the work up. */
  readonly signal: AbortSignal;
  /** Milliseconds left; 0 or less once spent. */
  remainingMs(): number;
}

/** Starts a budget now. `stop`, when given, ends it early. */
export function startCall(budgetMs: number, stop?: AbortSignal): Call {
  const end = performance.now() + budgetMs;
  const timeout = AbortSignal.timeout(budgetMs);
  return {
    signal: stop === undefined ? timeout : AbortSignal.any([stop, timeout]),
    remainingMs: () => end - performance.now(),
  };
}
