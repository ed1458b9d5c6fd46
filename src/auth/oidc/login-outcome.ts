import type { IdpError } from '../../contract/login-errors.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { LOGIN_FAILURES, type LoginFailure } from './login-failure.ts';
import { hintFor } from './system-hints.ts';

/**
 * What a login that could not begin answers: fixed texts, an allowlisted code and a fixed hint, never
 * the issuer or anything else that came from outside.
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

/** Some providers refuse a client in one of these words when they only take its secret in the body. */
const CLIENT_REFUSED: readonly (IdpError | undefined)[] = ['invalid_client', 'unauthorized_client'];
const CHECK_THE_CLIENT =
  'The provider does not accept the client. Check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, or set OIDC_CLIENT_AUTH_METHOD=client_secret_post.';

/** The fixed sentence about a failure, as close to the cause as its details allow. */
export function hintOf({ code, details }: LoginFailure): string {
  if (details.stage === 'token' && CLIENT_REFUSED.includes(details.idpError)) return CHECK_THE_CLIENT;
  return hintFor(details.systemCode) ?? LOGIN_FAILURES[code];
}
