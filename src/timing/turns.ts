/** Runs long pieces of work one per turn of the event loop, so that other work is done between any two of them. */
export interface Turns {
  /** Resolves in a turn in which no other piece runs. */
  next(): Promise<void>;
}

/**
 * The turns of this process. There is one queue per event loop: pieces in several queues, or in none, would all run in
 * the same turn.
 */
export const eventLoopTurns: Turns = createTurns();

/** The queue is as long as the callers make it. Limit the callers elsewhere. */
export function createTurns(schedule: (run: () => void) => void = setImmediate): Turns {
  const waiting: (() => void)[] = [];
  const runOne = (): void => {
    waiting.shift()?.();
    // Not earlier: immediates that are already scheduled would all run in the same turn.
    if (waiting.length > 0) schedule(runOne);
  };
  return {
    next: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 1) schedule(runOne);
      }),
  };
}
