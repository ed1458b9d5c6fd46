/**
 * The deadline of one piece of work (an API request, one reconcile). Everything done for it ends with it, including
 * retries and waits.
 */
export interface Deadline {
  /** Aborted at the deadline, or when the work is cancelled. */
  readonly signal: AbortSignal;
  /** Milliseconds left; 0 or less once it has passed. */
  remainingMs(): number;
  /** Nothing but time ends it: what has a timer within {@link remainingMs} need not listen to the signal. */
  readonly isTimeAlone?: true;
}

/** A deadline `budgetMs` from now. `stop`, when given, cancels the work earlier. */
export function startDeadline(budgetMs: number, stop?: AbortSignal): Deadline {
  const end = performance.now() + budgetMs;
  const remainingMs = (): number => end - performance.now();
  if (stop === undefined) return new TimeAlone(remainingMs);
  return { signal: AbortSignal.any([stop, abortedAfter(budgetMs)]), remainingMs };
}

/** Most requests never wait for anything but the cluster, and such a signal keeps a timer until the deadline. */
class TimeAlone implements Deadline {
  readonly remainingMs: () => number;
  readonly isTimeAlone = true;
  #signal: AbortSignal | undefined;

  constructor(remainingMs: () => number) {
    this.remainingMs = remainingMs;
  }

  get signal(): AbortSignal {
    this.#signal ??= abortedAfter(this.remainingMs());
    return this.#signal;
  }
}

/** What is left of another deadline is no whole number, which `AbortSignal.timeout` requires. */
function abortedAfter(milliseconds: number): AbortSignal {
  return AbortSignal.timeout(Math.max(0, Math.ceil(milliseconds)));
}
