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

/** The longest time slice for which other work waits. */
const SLICE_MS = 5;

/** Cuts long work into slices, so that other requests are handled in between. */
export interface EventLoopYielder {
  /** Whether the slice is used up. */
  isDue(): boolean;
  /** Lets other work run, and begins a new slice in a turn in which no other slice runs. */
  yieldNow(): Promise<void>;
  /** Yields between two steps if the slice is used up. */
  yieldIfDue(): Promise<void>;
}

export function createEventLoopYielder(now: () => number = () => performance.now()): EventLoopYielder {
  let begun = now();
  const isDue = () => now() - begun >= SLICE_MS;
  const yieldNow = async () => {
    await eventLoopTurns.next();
    begun = now();
  };
  return {
    isDue,
    yieldNow,
    async yieldIfDue() {
      if (isDue()) await yieldNow();
    },
  };
}
