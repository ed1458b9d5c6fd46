import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';

/** A component of the service that starts and stops. Started in order, stopped in reverse. */
export interface Component {
  readonly name: string;
  start?(): Promise<void>;
  stop?(): Promise<void>;
}

export function createLifecycle(components: readonly Component[], deadlineMs: number, logger: Logger) {
  const started: Component[] = [];
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

  let starting: Promise<void> = Promise.resolve();
  let stopRequested = false;
  const startAll = async () => {
    for (const component of components) {
      if (stopRequested) return;
      try {
        await component.start?.();
      } catch (error) {
        await stopAll();
        throw error;
      }
      started.push(component);
    }
  };

  return {
    /** Starts all parts in order; when one fails, those before it are stopped and the failure is thrown. */
    start(): Promise<void> {
      starting = startAll();
      return starting;
    },
    /**
     * Stops what was started, in reverse, within one deadline for all. During the start, nothing further is
     * started. A second call joins the first.
     */
    stop(): Promise<void> {
      stopRequested = true;
      // A component that is just starting is let finish, so that it can be stopped, too.
      stopping ??= withDeadline(starting.then(stopAll, stopAll), deadlineMs, () => {
        logger.warn('stopping took too long and was cut short', { durationMs: deadlineMs });
      });
      return stopping;
    },
  };
}

async function withDeadline(work: Promise<void>, deadlineMs: number, onMissed: () => void): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const missed = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      onMissed();
      resolve();
    }, deadlineMs);
  });
  await Promise.race([work, missed]);
  clearTimeout(timer);
}

const REMINDER_MS = 5 * 60_000;

/** Runs until it is aborted. Never rejects. */
export type BackgroundTask = (signal: AbortSignal) => Promise<void>;

/** Starts background tasks; stopping aborts them and waits for all of them. */
export function backgroundComponent(name: string, tasks: readonly BackgroundTask[]): Component {
  const stop = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  return {
    name,
    start() {
      running = Promise.all(tasks.map((run) => run(stop.signal)));
      return Promise.resolve();
    },
    async stop() {
      stop.abort();
      await running;
    },
  };
}

/** Started last and stopped first: the replica is not ready for `delayMs` before its ports close. */
export function readinessDelay(delayMs: number, onStopping: () => void): Component {
  return {
    name: 'readiness',
    async stop() {
      onStopping();
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    },
  };
}

/** Calls `remind` at the start and every five minutes. */
export function reminder(name: string, remind: () => void): Component {
  let timer: NodeJS.Timeout | undefined;
  return {
    name,
    start() {
      remind();
      timer = setInterval(remind, REMINDER_MS).unref();
      return Promise.resolve();
    },
    stop() {
      clearInterval(timer);
      return Promise.resolve();
    },
  };
}

/** AUTH_DISABLED makes everyone an administrator, so it must be impossible to overlook. */
export function bypassReminder(disabled: boolean, logger: Logger, metrics: Metrics): Component {
  metrics.set('service_auth_disabled', disabled);
  if (!disabled) return { name: 'bypass reminder' };
  return reminder('bypass reminder', () => {
    logger.warn('sign-in is disabled: every request is served as an administrator', {
      variable: 'AUTH_DISABLED',
    });
  });
}
