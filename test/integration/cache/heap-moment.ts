import { setImmediate as nextTurn } from 'node:timers/promises';
import { writeHeapSnapshot } from 'node:v8';

/** Longer than a slice of the event loop. */
const BUSY_MS = 6;

export interface HeapMoment {
  /** Called for each object of a list. */
  readonly processed: () => void;
  /** How many objects had been processed when the snapshot was written. */
  readonly written: Promise<number>;
}

/**
 * Uses up a slice with every `each` objects, and after the first ones writes a heap snapshot in the next turn: the list has
 * arrived in part, and the other objects are not processed yet.
 */
export function snapshotWithinList(file: string, each: number): HeapMoment {
  const written = Promise.withResolvers<number>();
  let count = 0;
  const snapshot = async (): Promise<void> => {
    await nextTurn();
    const processed = count;
    writeHeapSnapshot(file);
    written.resolve(processed);
  };
  return {
    processed: () => {
      if (++count % each !== 0) return;
      for (const begun = performance.now(); performance.now() - begun < BUSY_MS;);
      if (count === each) void snapshot();
    },
    written: written.promise,
  };
}
