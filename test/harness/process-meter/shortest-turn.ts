import { machineSlowness } from '../machine-slowness.ts';
import type { ProcessMeter } from './process-meter.ts';

/**
 * Repeats `work` until its longest turn of the event loop is within the limit, `attempts` times at most: garbage is collected at any
 * time, slow work is slow each time.
 * @returns the shortest of these longest turns, in milliseconds of a quiet machine
 */
export async function shortestTurnMs(
  meter: ProcessMeter,
  work: () => Promise<unknown>,
  { limitMs, attempts }: { readonly limitMs: number; readonly attempts: number },
): Promise<number> {
  let shortest = Infinity;
  for (let attempt = 0; attempt < attempts && shortest > limitMs; attempt++) {
    await meter.read();
    await work();
    const { longestTurnMs } = await meter.read();
    shortest = Math.min(shortest, longestTurnMs / machineSlowness());
  }
  return shortest;
}
