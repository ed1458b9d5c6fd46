import { machineSlowness } from '../../harness/machine-slowness.ts';
import type { ProcessMeter } from '../../harness/process-meter/process-meter.ts';
import { shortestTurnMs } from '../../harness/process-meter/shortest-turn.ts';

/** The aim for anything that a client can send. */
export const LONGEST_TURN_MS = 50;
const AT_ONCE = 4;
const ATTEMPTS = 10;
/** How old the machine's slowness may be for a first look. */
const FIRST_LOOK_MS = 5_000;

export interface Trial {
  readonly what: string;
  readonly send: () => Promise<number>;
}

/** Statuses, and how often each was answered. */
export type Answers = Map<number, number>;

/**
 * Sends all of it, a few at once, and returns those after which a turn of the event loop was too long. Where all together
 * look suspicious, each one is sent alone, and repeatedly: a garbage collection happens once, a slow expression always. How slow
 * the machine is at that moment is taken into account.
 */
export async function slowTurns(
  meter: ProcessMeter,
  trials: readonly Trial[],
  answers: Answers = new Map(),
  attempts = ATTEMPTS,
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
  const { longestTurnMs } = await meter.read();
  if (longestTurnMs <= LONGEST_TURN_MS || longestTurnMs / machineSlowness(FIRST_LOOK_MS) <= LONGEST_TURN_MS)
    return [];
  const slow: string[] = [];
  for (const trial of trials) {
    const shortest = await shortestTurnMs(meter, trial.send, { limitMs: LONGEST_TURN_MS, attempts });
    if (shortest > LONGEST_TURN_MS) slow.push(`${trial.what}: ${shortest.toFixed()} ms`);
    if (slow.length >= 5) break;
  }
  return slow;
}
