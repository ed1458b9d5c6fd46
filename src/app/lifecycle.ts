import type { Logger } from '../observability/logger.ts';

/** A component of the service. Components are started in order and stopped in reverse; what either returns is awaited. */
export interface Component {
  readonly name: string;
  start?(): unknown;
  stop?(): unknown;
}

export function createLifecycle(components: readonly Component[], deadlineMs: number, logger: Logger) {
  const started: Component[] = [];
  let starting: Promise<void> = Promise.resolve();
  let stopping: Promise<void> | undefined;

  const stopAll = async () => {
    for (const component of started.splice(0).reverse()) {
      try {
        await component.stop?.();
      } catch {
        // The remaining parts must still be stopped; what failed is named, never quoted.
        logger.warn('component did not stop cleanly', { component: component.name });
      }
    }
  };
  const startAll = async () => {
    for (const component of components) {
      if (stopping !== undefined) return;
      try {
        await component.start?.();
      } catch (error) {
        await stopAll();
        throw error;
      }
      started.push(component);
    }
  };
  const stopInTime = async () => {
    const missed = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => {
      logger.warn('stopping took too long and was cut short', { durationMs: deadlineMs });
      missed.resolve(undefined);
    }, deadlineMs);
    // A component that is just starting is let finish, so that it can be stopped, too.
    await Promise.race([starting.then(stopAll, stopAll), missed.promise]);
    clearTimeout(timer);
  };

  return {
    /** Starts all parts in order; when one fails, those before it are stopped and the failure is thrown. */
    start: (): Promise<void> => (starting = startAll()),
    /**
     * Stops what was started, in reverse, within one deadline for all. During the start, nothing further is
     * started. A second call joins the first.
     */
    stop: (): Promise<void> => (stopping ??= stopInTime()),
  };
}

/** Runs until it is aborted. Never rejects. */
export type BackgroundTask = (signal: AbortSignal) => Promise<void>;

/** Starts background tasks; stopping aborts them and waits for all of them. */
export function backgroundComponent(tasks: readonly BackgroundTask[]): Component {
  const stop = new AbortController();
  let running: Promise<unknown>;
  return {
    name: 'background',
    start() {
      running = Promise.all(tasks.map((run) => run(stop.signal)));
    },
    stop() {
      stop.abort();
      return running;
    },
  };
}

const REMINDER_MS = 5 * 60_000;

/** Calls `remind` at the start and every five minutes. */
export function reminder(remind: () => void): Component {
  let timer: NodeJS.Timeout | undefined;
  return {
    name: 'reminder',
    start() {
      remind();
      timer = setInterval(remind, REMINDER_MS).unref();
    },
    stop() {
      clearInterval(timer);
    },
  };
}
