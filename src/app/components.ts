import type { Listener } from '../api/http/listen.ts';
import type { Part } from './lifecycle.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';

const BYPASS_REMINDER_MS = 5 * 60_000;

/** Listens for as long as the service runs. */
export function listenerPart(name: string, open: () => Promise<Listener>): Part {
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

/** Started last, so stopped first: readiness falls, and only then do the ports close. */
export function readinessLead(leadMs: number, fall: () => void): Part {
  return {
    name: 'readiness',
    async stop() {
      fall();
      await new Promise((resolve) => setTimeout(resolve, leadMs));
    },
  };
}

/** AUTH_DISABLED makes everyone an administrator, so it must be impossible to overlook. */
export function bypassReminder(disabled: boolean, logger: Logger, metrics: Metrics): Part {
  let timer: NodeJS.Timeout | undefined;
  const remind = () => {
    logger.warn('sign-in is disabled: every request is served as an administrator', {
      variable: 'AUTH_DISABLED',
    });
  };
  return {
    name: 'bypass reminder',
    start() {
      metrics.setAuthDisabled(disabled);
      if (disabled) {
        remind();
        timer = setInterval(remind, BYPASS_REMINDER_MS).unref();
      }
      return Promise.resolve();
    },
    stop() {
      clearInterval(timer);
      return Promise.resolve();
    },
  };
}
