/**
 * The turns of this process. There is one queue per event loop: pieces in several queues, or in none, would all run in
 * the same turn.
 */
export const eventLoopTurns = createTurns();

/**
 * Runs long pieces of work one per turn of the event loop, so that other work is done between any two of them. The queue
 * is as long as the callers make it. Limit the callers elsewhere.
 */
export function createTurns(schedule: (run: () => void) => void = setImmediate) {
  const waiting: (() => void)[] = [];
  const runOne = (): void => {
    waiting.shift()?.();
    // Not earlier: immediates that are already scheduled would all run in the same turn.
    if (waiting.length > 0) schedule(runOne);
  };
  return {
    /** Resolves in a turn in which no other piece runs. */
    next: () =>
      new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 1) schedule(runOne);
      }),
  };
}

/** The longest time slice for which other work waits. */
const SLICE_MS = 5;

export type EventLoopYielder = ReturnType<typeof createEventLoopYielder>;

/** Cuts long work into slices, so that other requests are handled in between. */
export function createEventLoopYielder(now: () => number = () => performance.now()) {
  let begun = now();
  const isDue = () => now() - begun >= SLICE_MS;
  const yieldNow = async () => {
    await eventLoopTurns.next();
    begun = now();
  };
  return {
    /** Whether the slice is used up. */
    isDue,
    /** Lets other work run, and begins a new slice in a turn in which no other slice runs. */
    yieldNow,
    /** Yields between two steps if the slice is used up. */
    yieldIfDue: async () => {
      if (isDue()) await yieldNow();
    },
  };
}
