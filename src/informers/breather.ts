import { setImmediate } from 'node:timers/promises';

/** How long other work waits for this one at most. */
const SLICE_MS = 5;

/** Cuts long work into slices, so that requests are answered in between. */
export interface Breather {
  /** Whether the slice has lasted long enough. */
  isDue(): boolean;
  /** Lets everything else have its turn, and begins a new slice. */
  breathe(): Promise<void>;
}

export function createBreather(now: () => number = () => performance.now()): Breather {
  let begun = now();
  return {
    isDue: () => now() - begun >= SLICE_MS,
    async breathe() {
      await setImmediate();
      begun = now();
    },
  };
}
