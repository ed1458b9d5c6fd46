import { setTimeout as sleep } from 'node:timers/promises';

const MAX_PAUSE_MS = 1_000;
/** What one look may take. More is the machine standing still, and does not count. */
const MAX_LOOK_MS = 250;

/**
 * `check` again until it no longer throws, for up to 20 s unless given otherwise, since a busy machine may take many times
 * longer than a quiet one. The pauses are a tenth of the time so far. What holds after the last of them is seen, however
 * long the machine stood still.
 */
export async function eventually<T>(check: () => T | Promise<T>, timeoutMs = 20_000): Promise<T> {
  for (let waitedMs = 0; ;) {
    const begun = performance.now();
    const pauseMs = Math.min(Math.max(waitedMs / 10, 10), MAX_PAUSE_MS);
    try {
      return await check();
    } catch (error) {
      if (waitedMs >= timeoutMs) throw error;
    }
    await sleep(pauseMs);
    waitedMs += Math.min(performance.now() - begun, pauseMs + MAX_LOOK_MS);
  }
}
