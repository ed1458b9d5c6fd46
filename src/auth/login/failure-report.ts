import type { IdpError } from '../../contract/login-errors.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { connectionHint } from '../../errors/system-codes.ts';
import type { Logger, LogFields } from '../../observability/logger.ts';
import { LOGIN_FAILURES, type LoginFailure, type LoginFailureDetails } from './login-failure.ts';

/**
 * The error for a login that could not begin: fixed texts, an allowlisted code and a fixed hint, never the issuer or
 * other text from outside.
 */
export function beginError(failure: LoginFailure): ServiceError {
  const { code, details } = failure;
  if (code === 'not_configured') {
    return new ServiceError('notConfigured', `Sign-in is not configured. ${LOGIN_FAILURES[code]}`, {
      reason: code,
    });
  }
  const what =
    code === 'invalid_signing_key'
      ? 'Sign-in cannot create a session'
      : 'The identity provider is unavailable';
  const text = `${what} (${details.systemCode ?? code}). ${hintOf(failure)}`;
  return new ServiceError('providerUnavailable', text, { reason: code });
}

/** Some providers answer with one of these if they accept the secret only in the body. */
const CLIENT_REFUSED: readonly (IdpError | undefined)[] = ['invalid_client', 'unauthorized_client'];
const CHECK_THE_CLIENT =
  'The provider does not accept the client. Check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, or set OIDC_CLIENT_AUTH_METHOD=client_secret_post.';

const PROVIDER_FAILS =
  'The provider failed or is overloaded, or a proxy in front of it: status says how. Check the log of the provider.';
const REDIRECTED =
  'The provider answered with a redirect where the protocol has none. Check that OIDC_ISSUER is exact, and proxies in front of the provider.';
const NOT_FOUND = 'There is no discovery document below OIDC_ISSUER. Check that OIDC_ISSUER is exact.';

const PROVIDER = {
  name: 'provider',
  addressSetting: 'OIDC_ISSUER',
  authoritySetting: 'NODE_EXTRA_CA_CERTS',
};

/** The fixed sentence about a failure, as specific as its details allow. */
export function hintOf({ code, details }: LoginFailure): string {
  if (details.stage === 'token' && CLIENT_REFUSED.includes(details.idpError)) return CHECK_THE_CLIENT;
  if (code === 'unexpected_status') return statusHint(details);
  return connectionHint(details.systemCode, PROVIDER) ?? LOGIN_FAILURES[code];
}

/** A provider that is down does not depend on the settings. */
function statusHint({ stage, status = 0 }: LoginFailureDetails): string {
  if (status >= 500 || status === 429) return PROVIDER_FAILS;
  if (status >= 300 && status < 400) return REDIRECTED;
  return stage === 'discovery' ? NOT_FOUND : LOGIN_FAILURES.unexpected_status;
}

/** Logs a failure once, with its hint. */
export function logFailure(
  logger: Logger,
  event: string,
  failure: LoginFailure,
  fields: LogFields = {},
): void {
  const line = { ...failureFields(failure), ...fields };
  if (failure.code === 'internal') logger.error(event, line);
  else logger.warn(event, line);
}

export function failureFields(failure: LoginFailure): LogFields {
  return { code: failure.code, hint: hintOf(failure), ...failure.details };
}
