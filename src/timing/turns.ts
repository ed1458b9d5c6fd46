/** Lets long pieces of work run one in each turn of the event loop, so that others are served between any two of them. */
export interface Turns {
  /** Resolves in a turn in which no other piece runs. */
  next(): Promise<void>;
}

/**
 * The turns of this process. They are shared because its event loop is: pieces that waited in several queues, or in none,
 * would all run in the same turn.
 */
export const eventLoopTurns: Turns = createTurns();

/** As many pieces wait as their callers have begun; who bounds those bounds this. */
export function createTurns(schedule: (run: () => void) => void = setImmediate): Turns {
  const waiting: (() => void)[] = [];
  const runOne = (): void => {
    waiting.shift()?.();
    // Not before: immediates that are there already would all run in the same turn.
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
