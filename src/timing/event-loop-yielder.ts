import { eventLoopTurns } from './turns.ts';

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
