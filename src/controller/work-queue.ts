import { backOffMs } from '../timing/back-off.ts';
import type { Clock } from '../timing/clock.ts';

/**
 * A work queue of keys as in controller-runtime: a key is queued once however often it is added, is processed by one
 * worker at a time, and is queued again if it is added meanwhile.
 */
export interface WorkQueue {
  add(key: string): void;
  /** Adds the key later, unless it is due earlier anyway. */
  addAfter(key: string, ms: number): void;
  /** Adds the key after a wait that doubles with each retry since it was last forgotten. */
  retry(key: string): void;
  /** Resets the retries of the key. */
  forget(key: string): void;
  /** The next key, to be returned with {@link done}; undefined once the queue has ended. */
  next(): Promise<string | undefined>;
  done(key: string): void;
  /** How many keys are queued, without those of {@link addAfter}. */
  readonly depth: number;
  /** How long the first queued key has been waiting. */
  oldestAgeMs(): number;
}

export interface WorkQueueOptions {
  readonly clock: Clock;
  /** Returns 0 to 1. */
  readonly random: () => number;
}

const RETRIES = { firstMs: 500, longestMs: 5 * 60_000 };
/** Timers are limited to 24.8 days. A key that is processed early does no harm. */
const LONGEST_DELAY_MS = 24 * 60 * 60_000;

/** Makes an empty queue, which ends when `signal` is aborted. */
export function createWorkQueue({ clock, random }: WorkQueueOptions, signal: AbortSignal): WorkQueue {
  /** Each key with the time since when it is queued, first come first served. */
  const waiting = new Map<string, number>();
  const inWork = new Set<string>();
  const addedMeanwhile = new Set<string>();
  const delayed = new Map<string, number>();
  const retries = new Map<string, number>();
  const idle = new Set<() => void>();

  const wake = (): void => {
    const [worker] = idle;
    worker?.();
  };
  const add = (key: string): void => {
    delayed.delete(key);
    if (inWork.has(key)) addedMeanwhile.add(key);
    else if (!waiting.has(key)) {
      waiting.set(key, clock.now());
      wake();
    }
  };
  const addAfter = (key: string, ms: number): void => {
    const due = clock.now() + Math.min(ms, LONGEST_DELAY_MS);
    if (waiting.has(key) || (delayed.get(key) ?? Infinity) <= due) return;
    delayed.set(key, due);
    void clock.sleep(due - clock.now(), signal).then(() => {
      if (!signal.aborted && delayed.get(key) === due) add(key);
    });
  };
  signal.addEventListener('abort', () => {
    for (const worker of idle) worker();
  });

  return {
    add,
    addAfter,
    retry: (key) => {
      const count = (retries.get(key) ?? 0) + 1;
      retries.set(key, count);
      addAfter(key, backOffMs(count, { ...RETRIES, random }));
    },
    forget: (key) => void retries.delete(key),
    next: async () => {
      while (!signal.aborted) {
        const [key] = waiting.keys();
        if (key !== undefined) {
          waiting.delete(key);
          inWork.add(key);
          return key;
        }
        await new Promise<void>((resolve) => {
          const worker = (): void => {
            idle.delete(worker);
            resolve();
          };
          idle.add(worker);
        });
      }
      return undefined;
    },
    done: (key) => {
      inWork.delete(key);
      if (addedMeanwhile.delete(key)) add(key);
    },
    get depth() {
      return waiting.size;
    },
    oldestAgeMs: () => {
      const [since] = waiting.values();
      return since === undefined ? 0 : clock.now() - since;
    },
  };
}
