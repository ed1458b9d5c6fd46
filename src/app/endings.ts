import { SettingsError } from '../config/settings.ts';
import { kindOf, ownPlaceOf } from '../errors/error-origin.ts';
import { isServiceError } from '../errors/service-error.ts';
import { spelledOut } from '../contract/printable.ts';
import type { LogFields, Logger } from '../observability/logger.ts';
import { CertificateError, ListenError } from '../server/server.ts';

/** The last lines of a process, about why it ended. */
export function createEndings(logger: Pick<Logger, 'error'>) {
  return {
    /** One line for each setting that breaks a rule, or one for whatever else it was. */
    cannotStart(error: unknown): void {
      if (error instanceof SettingsError) {
        for (const { variable, rule } of error.problems)
          logger.error('cannot start', { variable, problem: rule });
      } else {
        logger.error('cannot start', explained(error));
      }
    },
    /** After the start. */
    cannotGoOn(error: unknown): void {
      logger.error('cannot go on', explained(error));
    },
    /** Because of a bug. */
    crashed(bug: unknown): void {
      logger.error('crashed', unexplained(bug));
    },
  };
}

function explained(error: unknown): LogFields {
  const isOwn = isServiceError(error) || error instanceof ListenError || error instanceof CertificateError;
  return isOwn ? { problem: spelledOut(error.message) } : unexplained(error);
}

/** Messages of our own errors are safe to print. That of any other may quote its input. */
function unexplained(error: unknown): LogFields {
  return { kind: kindOf(error), place: ownPlaceOf(error) };
}
