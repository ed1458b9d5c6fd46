/** A clock that stands still until a test moves it. */
export interface VirtualClock {
  readonly now: () => number;
  readonly wallNow: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Lets everything that is ready run, then moves on, sleeper by sleeper. */
  advance(ms: number): Promise<void>;
  /** Moves on without letting anything run, like a process that was stopped. */
  jump(ms: number): void;
  /** How long the next sleepers still sleep, soonest first. */
  waits(): readonly number[];
}

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Lets all promises that are ready settle: none of the code under test uses real timers. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}

export function createVirtualClock(startMs = 1_000): VirtualClock {
  let time = startMs;
  const sleepers = new Set<Sleeper>();
  const next = (): Sleeper | undefined => [...sleepers].sort((one, other) => one.at - other.at)[0];
  return {
    now: () => time,
    wallNow: () => Date.parse('2026-01-01T00:00:00Z') + time,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const wake = (): void => {
          sleepers.delete(sleeper);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        const sleeper = { at: time + ms, wake };
        sleepers.add(sleeper);
        signal.addEventListener('abort', wake);
        if (signal.aborted) wake();
      }),
    advance: async (ms) => {
      const end = time + ms;
      await settled();
      for (let sleeper = next(); sleeper !== undefined && sleeper.at <= end; sleeper = next()) {
        time = Math.max(time, sleeper.at);
        sleeper.wake();
        await settled();
      }
      time = end;
      await settled();
    },
    jump: (ms) => {
      time += ms;
    },
    waits: () => [...sleepers].map(({ at }) => at - time).sort((one, other) => one - other),
  };
}
