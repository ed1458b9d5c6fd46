import type { Logger, LogFields } from '../../observability/logger.ts';
import type { LoginFailure } from './login-failure.ts';
import { hintOf } from './login-outcome.ts';
import type { IdpError } from './provider-errors.ts';

/** The one line that says why a login could not begin. */
export function logBeginFailure(logger: Logger, failure: LoginFailure): void {
  write(logger, 'login could not begin', failure, {});
}

/** The one line that says why a login failed. */
export function logFinishFailure(
  logger: Logger,
  failure: LoginFailure,
  idpError: IdpError | undefined,
  requestBase: string | undefined,
  redirectUri: string | undefined,
): void {
  write(logger, 'login failed', failure, {
    idpError,
    descriptionCode: failure.details.descriptionCode,
    redirectBaseMatches: baseMatches(requestBase, redirectUri),
  });
}

function write(logger: Logger, event: string, failure: LoginFailure, fields: LogFields): void {
  const { systemCode, reason, bytes } = failure.details;
  const line = { code: failure.code, hint: hintOf(failure), systemCode, reason, bytes, ...fields };
  if (failure.code === 'internal') logger.error(event, line);
  else logger.warn(event, line);
}

/** May be false behind a proxy, where it is no problem; elsewhere it explains an `invalid_grant`. */
function baseMatches(requestBase: string | undefined, redirectUri: string | undefined): boolean | undefined {
  if (requestBase === undefined || redirectUri === undefined) return undefined;
  return URL.canParse(requestBase) && new URL(requestBase).origin === new URL(redirectUri).origin;
}
