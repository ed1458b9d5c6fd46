import type { Listener } from '../server/listen.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Component } from './lifecycle.ts';

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

/** Listens while the service runs. */
export function listenerComponent(name: string, open: () => Promise<Listener>): Component {
  let listener: Listener | undefined;
  return {
    name,
    async start() {
      listener = await open();
    },
    async stop() {
      await listener?.stop();
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
