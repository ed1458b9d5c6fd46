import { setImmediate } from 'node:timers/promises';

/** How long one slice of work may keep everything else waiting. */
const SLICE_MS = 5;

/** Cuts long work into slices, so that other requests are handled in between. */
export interface EventLoopYielder {
  /** Whether the slice has lasted long enough. */
  isDue(): boolean;
  /** Lets the event loop run everything that waits, and begins a new slice. */
  yieldNow(): Promise<void>;
}

export function createEventLoopYielder(now: () => number = () => performance.now()): EventLoopYielder {
  let begun = now();
  return {
    isDue: () => now() - begun >= SLICE_MS,
    async yieldNow() {
      await setImmediate();
      begun = now();
    },
  };
}
