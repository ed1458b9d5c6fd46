import type { IdpError } from '../../contract/login-errors.ts';
import { ServiceError } from '../../errors/service-error.ts';
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

/** The fixed sentence about a failure, as specific as its details allow. */
export function hintOf({ code, details }: LoginFailure): string {
  if (details.stage === 'token' && CLIENT_REFUSED.includes(details.idpError)) return CHECK_THE_CLIENT;
  if (code === 'unexpected_status') return statusHint(details);
  return systemHint(details.systemCode) ?? LOGIN_FAILURES[code];
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

const NOT_TRUSTED =
  "The provider's certificate is not trusted here. Give its authority by NODE_EXTRA_CA_CERTS.";
const NOT_REACHED = 'The provider cannot be reached over the network. Check network policies and proxies.';
const CUT_OFF = 'The connection to the provider was cut. Check proxies between here and there.';

/** What to check, by the system error codes of src/errors/system-codes.ts. */
const SYSTEM_HINTS: Readonly<Record<string, string>> = {
  ECONNREFUSED:
    'Nothing listens at the address of the provider. Check OIDC_ISSUER and that the provider runs.',
  ECONNRESET: CUT_OFF,
  ECONNABORTED: CUT_OFF,
  EPIPE: CUT_OFF,
  UND_ERR_SOCKET: CUT_OFF,
  ENOTFOUND: "The provider's host name is unknown here. Check OIDC_ISSUER and the name service.",
  EAI_AGAIN: 'The name service did not answer. Check the name service and network policies.',
  EHOSTUNREACH: NOT_REACHED,
  ENETUNREACH: NOT_REACHED,
  ETIMEDOUT: NOT_REACHED,
  UND_ERR_CONNECT_TIMEOUT: NOT_REACHED,
  CERT_HAS_EXPIRED: "The provider's certificate has expired.",
  CERT_NOT_YET_VALID: "The provider's certificate is not valid yet. Check the clocks.",
  DEPTH_ZERO_SELF_SIGNED_CERT: NOT_TRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: NOT_TRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: NOT_TRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: NOT_TRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: NOT_TRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: "The provider's certificate is for another host name. Check OIDC_ISSUER.",
  ERR_SSL_WRONG_VERSION_NUMBER: 'The provider does not speak TLS at that address. Check OIDC_ISSUER.',
};

/** A fixed hint for a system error code; undefined if the code is clear by itself. */
function systemHint(systemCode: string | undefined): string | undefined {
  return systemCode !== undefined && Object.hasOwn(SYSTEM_HINTS, systemCode)
    ? SYSTEM_HINTS[systemCode]
    : undefined;
}
