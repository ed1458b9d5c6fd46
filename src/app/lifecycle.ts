import type { Logger } from '../observability/logger.ts';

/** A component of the service that starts and stops. Started in order, stopped in reverse. */
export interface Component {
  readonly name: string;
  start?(): Promise<void>;
  stop?(): Promise<void>;
}

export interface Lifecycle {
  /** Starts all parts in order; when one fails, those before it are stopped and the failure is thrown. */
  start(): Promise<void>;
  /**
   * Stops what was started, in reverse, within one deadline for all. During the start, nothing further is
   * started. A second call joins the first.
   */
  stop(): Promise<void>;
}

export function createLifecycle(
  components: readonly Component[],
  deadlineMs: number,
  logger: Logger,
): Lifecycle {
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
    start() {
      starting = startAll();
      return starting;
    },
    stop() {
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
