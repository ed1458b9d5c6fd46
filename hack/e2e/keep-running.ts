import { setTimeout as sleep } from 'node:timers/promises';
import type { Started } from './tools.ts';

/** Starts something, and again whenever it ends by itself, until it is stopped. */
export function keepRunning(start: () => Started, pauseMs = 500): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let current = start();
  const kept = (async () => {
    for (;;) {
      await current.ended;
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      current = start();
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await current.stop();
      await kept;
    },
  };
}
