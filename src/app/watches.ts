import type { ReflectorObserver } from '../informers/reflector.ts';
import type { Part } from './lifecycle.ts';
import type { Metrics } from '../observability/metrics.ts';

/** What is counted about the watches of an informer. */
export function watchObserver(informer: string, metrics: Metrics): ReflectorObserver {
  return {
    event: (kind) => {
      metrics.watches.countEvent(informer, kind);
    },
    relist: (reason) => {
      metrics.watches.countRelist(informer, reason);
    },
    rightMissing: (missing) => {
      metrics.watches.addRightMissing(informer, missing ? 1 : -1);
    },
  };
}

/** Runs work without end; stopping aborts it and waits for it. */
export function runningPart(name: string, work: readonly ((signal: AbortSignal) => Promise<void>)[]): Part {
  const stop = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  return {
    name,
    start() {
      running = Promise.all(work.map((run) => run(stop.signal)));
      return Promise.resolve();
    },
    async stop() {
      stop.abort();
      await running;
    },
  };
}
