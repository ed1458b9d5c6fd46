import type { IdpError } from '../../contract/login-errors.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { connectionHint } from '../../errors/system-codes.ts';
import type { Logger, LogFields } from '../../observability/logger.ts';

/** Every way in which a login fails, with advice for an operator. The texts are fixed. */
export const LOGIN_FAILURES = {
  // Before any request to the provider.
  not_configured: 'Set OIDC_ISSUER and OIDC_CLIENT_ID.',
  invalid_signing_key: 'Set SESSION_SECRET to a random key of at least 32 characters.',
  insecure_issuer:
    'OIDC_ISSUER must be https. Plain http needs OIDC_ALLOW_HTTP=true, a loopback host, and no production.',
  issuer_is_discovery_url: 'OIDC_ISSUER is the issuer identifier, without /.well-known/openid-configuration.',
  // Discovery and any other request to the provider.
  provider_unreachable: 'Check that the provider runs and that this service can reach it.',
  timeout: 'The provider did not answer in time. Check network policies and proxies between here and there.',
  response_too_large:
    'The provider answered more than this service reads. Check that OIDC_ISSUER is an OpenID provider.',
  unexpected_status:
    'The provider answered with a status that the protocol does not have here; stage says where.',
  invalid_response: 'The provider answered something that the protocol does not allow; stage says where.',
  issuer_mismatch:
    'OIDC_ISSUER must equal the issuer of the discovery document to the letter, trailing slash included.',
  missing_endpoint: 'The discovery document lacks an endpoint that sign-in needs.',
  insecure_endpoint: 'The discovery document names an endpoint that is not https.',
  // The callback.
  transaction_incomplete:
    'The login was started too long ago, in another browser, or its cookies were blocked.',
  duplicate_parameter: 'The callback carried a parameter twice.',
  state_mismatch: 'The callback belongs to another login, such as an earlier tab.',
  code_missing: 'The callback carried neither a code nor an error.',
  person_declined:
    'The person went no further at the provider, or the provider would not let this one; idpError says which.',
  provider_refused: 'The provider refused the login; idpError says why.',
  // The tokens.
  invalid_id_token: 'The ID token lacks a claim that the protocol requires, or has it in the wrong form.',
  signature_invalid: 'The ID token is not signed by a key of the provider.',
  algorithm_refused: 'The ID token is signed with an algorithm that is not accepted.',
  token_issuer_mismatch: 'The token or the callback names another issuer.',
  audience_mismatch: 'The ID token is meant for another client. Check OIDC_CLIENT_ID.',
  nonce_mismatch: 'The ID token belongs to another login.',
  token_time_invalid: 'The ID token is expired or not yet valid. Check the clocks.',
  subject_missing: 'The ID token has no subject.',
  subject_mismatch: 'The UserInfo endpoint described another user.',
  email_missing:
    'The claim that OIDC_USERNAME_CLAIM names is missing or empty. Check the claim and the scopes, and UserInfo where userInfo says that it failed.',
  email_invalid:
    'The email holds a character that is not seen, surrounding spaces, or one that lowercasing turns into a plain letter. Correct it at the provider.',
  email_unverified:
    'The provider says that the email is not verified. Verify it there, or set OIDC_ALLOW_UNVERIFIED_EMAIL=true where only administrators of the provider set emails.',
  session_too_large:
    'The groups do not fit a session: bytes exceeds limit, count is their number. Have the provider send fewer groups.',
  internal: 'The service failed, not the configuration: kind and place say what and where. Please report it.',
} as const;

export type LoginFailureCode = keyof typeof LOGIN_FAILURES;

/**
 * The step of a login that failed. `callback` is the service's own part: the parameters and cookies of the browser, and
 * the claims.
 */
export type LoginStage = 'discovery' | 'callback' | 'token' | 'userinfo' | 'keys';

/** What is logged about a failure (docs/observability.md), all of it closed codes and numbers. */
export interface LoginFailureDetails extends LogFields {
  readonly stage?: LoginStage | undefined;
  /** A known system error code (see src/errors/system-codes.ts). */
  readonly systemCode?: string | undefined;
  readonly idpError?: IdpError | undefined;
  readonly descriptionCode?: DescriptionCode | undefined;
  /** The HTTP status of the provider's response, if the failure is about one. */
  readonly status?: number | undefined;
  readonly userInfo?: UserInfoState | undefined;
}

/** The class of the provider's error description, whose text is never logged. */
export type DescriptionCode = 'redirect_uri' | 'provided' | 'omitted';

/** Whether UserInfo was merged. The endpoint may be absent or fail. */
export type UserInfoState = 'used' | 'none' | 'failed';

/**
 * Why a login failed, in closed codes only. Private to this module, which turns it into a redirect or a ServiceError.
 * It deliberately has no cause: foreign errors may hold tokens and claims.
 */
export class LoginFailure extends Error {
  override readonly name = 'LoginFailure';
  readonly code: LoginFailureCode;
  readonly details: LoginFailureDetails;

  constructor(code: LoginFailureCode, details: LoginFailureDetails = {}) {
    super(code);
    this.code = code;
    this.details = details;
  }

  /** The same failure, with the details that it did not have. */
  with(details: LoginFailureDetails): LoginFailure {
    return new LoginFailure(this.code, { ...details, ...this.details });
  }
}

/**
 * The error for a login that could not begin: fixed texts, an allowlisted code and a fixed hint, never the issuer or
 * other text from outside.
 */
export function beginError(failure: LoginFailure): ServiceError {
  const { code: reason, details } = failure;
  const hint = hintOf(failure);
  if (reason === 'not_configured') {
    return new ServiceError('notConfigured', `Sign-in is not configured. ${hint}`, { reason });
  }
  const isKey = reason === 'invalid_signing_key';
  const what = isKey ? 'Sign-in cannot create a session' : 'The identity provider is unavailable';
  const text = `${what} (${details.systemCode ?? reason}). ${hint}`;
  return new ServiceError('providerUnavailable', text, { reason });
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
export function logFailure(logger: Logger, event: string, failure: LoginFailure): void {
  logger[failure.code === 'internal' ? 'error' : 'warn'](event, failureFields(failure));
}

export function failureFields(failure: LoginFailure): LogFields {
  return { code: failure.code, hint: hintOf(failure), ...failure.details };
}
