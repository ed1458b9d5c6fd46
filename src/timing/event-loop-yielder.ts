import { eventLoopTurns } from './turns.ts';

/** How long one slice of work may keep everything else waiting. */
const SLICE_MS = 5;

/** Cuts long work into slices, so that other requests are handled in between. */
export interface EventLoopYielder {
  /** Whether the slice has lasted long enough. */
  isDue(): boolean;
  /** Lets the event loop run everything that waits, and begins a new slice in a turn in which no other slice runs. */
  yieldNow(): Promise<void>;
  /** Yields between two steps that cannot be cut, when the first has used up the slice. */
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
