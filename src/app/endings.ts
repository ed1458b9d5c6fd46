import { SettingsError } from '../config/settings.ts';
import { kindOf, ownPlaceOf } from '../errors/error-origin.ts';
import { isServiceError } from '../errors/service-error.ts';
import { spelledOut } from '../contract/printable.ts';
import type { LogFields, Logger } from '../observability/logger.ts';
import { CertificateError, ListenError } from '../server/server.ts';

/** Logs why the process ends: a line for each setting that breaks a rule, or one for whatever else it was. */
export function logEnding(
  logger: Pick<Logger, 'error'>,
  message: 'cannot start' | 'cannot go on' | 'crashed',
  error: unknown,
): void {
  if (error instanceof SettingsError)
    for (const { variable, rule } of error.problems) logger.error(message, { variable, problem: rule });
  else logger.error(message, reasonOf(error, message === 'crashed'));
}

/** Messages of our own errors are safe to print. That of any other may quote its input. Of a bug the place says more. */
function reasonOf(error: unknown, isBug: boolean): LogFields {
  const isOwn = isServiceError(error) || error instanceof ListenError || error instanceof CertificateError;
  if (isOwn && !isBug) return { problem: spelledOut(error.message) };
  return { kind: kindOf(error), place: ownPlaceOf(error) };
}
