import type { ProcessMeter } from '../../harness/process-meter/process-meter.ts';

/** The aim for anything that a client can send. */
export const LONGEST_TURN_MS = 50;
const AT_ONCE = 4;
const REPEATS = 10;

export interface Trial {
  readonly what: string;
  readonly send: () => Promise<number>;
}

/** Statuses, and how often each was answered. */
export type Answers = Map<number, number>;

/**
 * Sends all of it, a few at once, and returns those after which a turn of the event loop was too long. Where all together
 * look suspicious, each one is tried alone, and repeatedly: a collection of garbage strikes once, a slow expression always.
 */
export async function slowTurns(
  meter: ProcessMeter,
  trials: readonly Trial[],
  answers: Answers = new Map(),
): Promise<readonly string[]> {
  const remaining = trials.values();
  const work = async () => {
    for (const { send } of remaining) {
      const status = await send();
      answers.set(status, (answers.get(status) ?? 0) + 1);
    }
  };
  await meter.read();
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if ((await meter.read()).longestTurnMs <= LONGEST_TURN_MS) return [];
  const found: string[] = [];
  for (const trial of trials) {
    const shortest = await shortestOf(meter, trial);
    if (shortest > LONGEST_TURN_MS) found.push(`${trial.what}: ${shortest.toFixed()} ms`);
    if (found.length >= 5) break;
  }
  return found;
}

async function shortestOf(meter: ProcessMeter, { send }: Trial): Promise<number> {
  let shortest = Infinity;
  for (let repeat = 0; repeat < REPEATS && shortest > LONGEST_TURN_MS; repeat++) {
    await send();
    shortest = Math.min(shortest, (await meter.read()).longestTurnMs);
  }
  return shortest;
}
