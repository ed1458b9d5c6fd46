import { backOffMs, type BackOffOptions } from '../timing/back-off.ts';
import type { Clock } from '../timing/clock.ts';

const RETRIES = { firstMs: 500, longestMs: 5 * 60_000 };
/** Timers are limited to 24.8 days. A key that is processed early does no harm. */
const LONGEST_DELAY_MS = 24 * 60 * 60_000;
/** Between two looks at what is delayed, which may be as many keys as Secrets. */
const LOOK_INTERVAL_MS = 100;

/**
 * A work queue of keys as in controller-runtime: a key is queued once however often it is added, is processed by one
 * worker at a time, and is queued again if it is added meanwhile.
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #retrying: BackOffOptions;
  readonly #signal: AbortSignal;
  /** Each key with the time since when it is queued, first come first served. */
  readonly #waiting = new Map<string, number>();
  readonly #inWork = new Set<string>();
  readonly #addedMeanwhile = new Set<string>();
  /** Each key with the time when it is due. */
  readonly #delayed = new Map<string, number>();
  /** The one timer for all of them, and when it ends. */
  #timer = { end: Infinity, cancel: new AbortController() };
  readonly #retries = new Map<string, number>();
  /** Wakes each worker that waits for a key. */
  readonly #idle: (() => void)[] = [];

  /** An empty queue, which ends when `signal` is aborted. */
  constructor(
    { clock, random }: Pick<BackOffOptions, 'random'> & { readonly clock: Clock },
    signal: AbortSignal,
  ) {
    this.#clock = clock;
    this.#retrying = { ...RETRIES, random };
    this.#signal = signal;
    signal.addEventListener('abort', () => {
      for (const wake of this.#idle.splice(0)) wake();
      this.#timer.cancel.abort();
    });
  }

  add(key: string): void {
    this.#delayed.delete(key);
    if (this.#inWork.has(key)) this.#addedMeanwhile.add(key);
    else if (!this.#waiting.has(key)) {
      this.#waiting.set(key, this.#clock.now());
      this.#idle.shift()?.();
    }
  }

  /** Adds the key later, unless it is due earlier anyway. */
  addAfter(key: string, ms: number): void {
    const due = this.#clock.now() + Math.min(ms, LONGEST_DELAY_MS);
    if (this.#waiting.has(key) || (this.#delayed.get(key) ?? Infinity) <= due) return;
    this.#delayed.set(key, due);
    if (due < this.#timer.end) this.#startTimer(due);
  }

  #startTimer(end: number): void {
    this.#timer.cancel.abort();
    if (this.#signal.aborted) return;
    const cancel = new AbortController();
    this.#timer = { end, cancel };
    void this.#clock.sleep(end - this.#clock.now(), cancel.signal).then(() => {
      if (!cancel.signal.aborted) this.#addDue();
    });
  }

  #addDue(): void {
    const now = this.#clock.now();
    let soonest = Infinity;
    for (const [key, due] of this.#delayed) {
      if (due <= now) this.add(key);
      else soonest = Math.min(soonest, due);
    }
    this.#timer.end = Infinity;
    if (soonest < Infinity) this.#startTimer(Math.max(soonest, now + LOOK_INTERVAL_MS));
  }

  /** Adds the key after a wait that doubles with each retry since it was last forgotten. */
  retry(key: string): void {
    const count = (this.#retries.get(key) ?? 0) + 1;
    this.#retries.set(key, count);
    this.addAfter(key, backOffMs(count, this.#retrying));
  }

  /** Resets the retries of the key. */
  forget(key: string): void {
    this.#retries.delete(key);
  }

  /** The next key, to be returned with {@link done}; undefined once the queue has ended. */
  async next(): Promise<string | undefined> {
    while (!this.#signal.aborted) {
      const [key] = this.#waiting.keys();
      if (key !== undefined) {
        this.#waiting.delete(key);
        this.#inWork.add(key);
        return key;
      }
      await new Promise<void>((resolve) => this.#idle.push(resolve));
    }
    return undefined;
  }

  done(key: string): void {
    this.#inWork.delete(key);
    if (this.#addedMeanwhile.delete(key)) this.add(key);
  }

  /** How many keys are queued, without those of {@link addAfter}. */
  get depth(): number {
    return this.#waiting.size;
  }

  /** How long the first queued key has been waiting. */
  oldestAgeMs(): number {
    const [since] = this.#waiting.values();
    return since === undefined ? 0 : this.#clock.now() - since;
  }
}
