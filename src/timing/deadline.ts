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

/** The promise's result, or undefined if the signal is aborted first. The promise then continues in the background. */
export function untilAborted<Result extends object | string | boolean>(
  promise: Promise<Result>,
  signal: AbortSignal,
): Promise<Result | undefined> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      resolve(undefined);
    };
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    promise.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', leave);
    });
  });
}
