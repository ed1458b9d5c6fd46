/**
 * Error codes that a provider may be quoted with. Closed on purpose: what a provider (or whoever
 * writes the callback's query) sends is text from outside, and only these texts are known to be harmless.
 */
export const PROVIDER_ERROR_CODES = [
  // RFC 6749, sections 4.1.2.1 and 5.2
  'access_denied',
  'invalid_client',
  'invalid_grant',
  'invalid_request',
  'invalid_scope',
  'server_error',
  'temporarily_unavailable',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
  // OpenID Connect Core 1.0, section 3.1.2.6
  'account_selection_required',
  'consent_required',
  'interaction_required',
  'invalid_request_object',
  'invalid_request_uri',
  'login_required',
  'registration_not_supported',
  'request_not_supported',
  'request_uri_not_supported',
  // RFC 6750 (bearer tokens), RFC 8707 (resource indicators), RFC 9470 (step-up),
  // and OpenID Connect Core Unmet Authentication Requirements 1.0
  'insufficient_scope',
  'invalid_token',
  'invalid_target',
  'insufficient_user_authentication',
  'unmet_authentication_requirements',
] as const;

export type ProviderErrorCode = (typeof PROVIDER_ERROR_CODES)[number];

/** What the `idp_error` parameter of the login page can say. */
export const IDP_ERRORS = [
  ...PROVIDER_ERROR_CODES,
  /** The provider gave a code that is not on the list, or that is none. */
  'provider_error',
  /** The provider's groups make a session that no browser would keep. */
  'session_too_large',
  /** The provider's email could be taken for another person's. */
  'email_invalid',
  /** The provider says that it has not verified the email. */
  'email_unverified',
] as const;

export type IdpError = (typeof IDP_ERRORS)[number];

/** What a provider answers, at the callback, because of the person: they cancelled, or are not let in. */
export const DECLINED_BY_PERSON: readonly IdpError[] = [
  'access_denied',
  'account_selection_required',
  'consent_required',
  'interaction_required',
  'login_required',
];

const MAX_CODE_CHARACTERS = 64;
const MAX_DESCRIPTION_BYTES = 2_048;

/** A provider's error code if it is a known one, `provider_error` otherwise. */
export function classifyErrorCode(code: unknown): IdpError {
  if (typeof code !== 'string' || code.length > MAX_CODE_CHARACTERS) return 'provider_error';
  return PROVIDER_ERROR_CODES.find((known) => known === code) ?? 'provider_error';
}

export type DescriptionCode = 'redirect_uri' | 'provided' | 'omitted';

/** What may be said of an error description, which itself goes nowhere; undefined when there is none. */
export function classifyDescription(description: unknown): DescriptionCode | undefined {
  if (typeof description !== 'string' || description === '') return undefined;
  if (Buffer.byteLength(description) > MAX_DESCRIPTION_BYTES) return 'omitted';
  return /redirect[\s_-]?ur[il]/i.test(description) ? 'redirect_uri' : 'provided';
}
