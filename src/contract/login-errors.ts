import { PAGE_ROUTES } from './page-routes.ts';

/** What the sign-in page says of a failure: what happened, and what to do about it. */
export interface LoginErrorText {
  readonly sentence: string;
  readonly advice: string;
}

const REGISTRATION = 'Have an administrator check the registration of this service at the provider.';
const CODE_FLOW = 'Have an administrator enable the authorization code flow for this client.';
const AGAIN = 'Try again. If it keeps happening, contact an administrator.';

/** The provider did not accept what this service sent; its code says more to whoever configures both. */
const NOT_ACCEPTED: LoginErrorText = {
  sentence: 'The provider did not accept the sign-in request.',
  advice: REGISTRATION,
};
const NO_CODE_FLOW: LoginErrorText = {
  sentence: 'The provider does not offer the authorization code flow.',
  advice: CODE_FLOW,
};
const STRONGER: LoginErrorText = {
  sentence: 'The provider wants a stronger sign-in, such as a second factor.',
  advice: 'Set up the second factor that your organization requires, and try again.',
};

/**
 * What is said of each error code of a provider that may be shown and logged. The list is closed on purpose: everything
 * else in the callback's query is text from outside.
 */
const PROVIDER_TEXTS = {
  // RFC 6749, sections 4.1.2.1 and 5.2
  access_denied: {
    sentence: 'The provider did not let you in, or the sign-in was cancelled.',
    advice: 'Have an administrator assign you to this application at the provider.',
  },
  invalid_client: {
    sentence: 'The provider does not accept this service as a client.',
    advice: 'Have an administrator check OIDC_CLIENT_ID, OIDC_CLIENT_SECRET and OIDC_CLIENT_AUTH_METHOD.',
  },
  invalid_grant: {
    sentence: 'The provider did not accept the sign-in code.',
    advice:
      'Try again; if it keeps happening, have an administrator compare OIDC_REDIRECT_URI with the redirect URI at the provider.',
  },
  invalid_request: { sentence: 'The provider did not understand the sign-in request.', advice: REGISTRATION },
  invalid_scope: {
    sentence: 'The provider does not support a scope that this service requests.',
    advice: 'Have an administrator compare OIDC_SCOPES with the scopes that the provider offers.',
  },
  server_error: { sentence: 'The provider failed.', advice: AGAIN },
  temporarily_unavailable: { sentence: 'The provider is overloaded or under maintenance.', advice: AGAIN },
  unauthorized_client: {
    sentence: 'The provider does not allow this service to sign people in this way.',
    advice: CODE_FLOW,
  },
  unsupported_grant_type: NO_CODE_FLOW,
  unsupported_response_type: NO_CODE_FLOW,
  // OpenID Connect Core 1.0, section 3.1.2.6
  account_selection_required: { sentence: 'The provider wants you to choose an account.', advice: AGAIN },
  consent_required: {
    sentence: 'The provider needs consent for this application.',
    advice: 'Have an administrator grant consent to this application at the provider.',
  },
  interaction_required: { sentence: 'The provider needs something from you first.', advice: AGAIN },
  invalid_request_object: NOT_ACCEPTED,
  invalid_request_uri: NOT_ACCEPTED,
  login_required: { sentence: 'You are not signed in at the provider.', advice: AGAIN },
  registration_not_supported: NOT_ACCEPTED,
  request_not_supported: NOT_ACCEPTED,
  request_uri_not_supported: NOT_ACCEPTED,
  // RFC 6750 (bearer tokens), RFC 8707 (resource indicators), RFC 9470 (step-up),
  // and OpenID Connect Core Unmet Authentication Requirements 1.0
  insufficient_scope: {
    sentence: 'The provider gave this service too few rights.',
    advice: 'Have an administrator compare OIDC_SCOPES with the scopes that the provider grants.',
  },
  invalid_token: { sentence: 'The provider did not accept its own token.', advice: AGAIN },
  invalid_target: NOT_ACCEPTED,
  insufficient_user_authentication: STRONGER,
  unmet_authentication_requirements: STRONGER,
} satisfies Readonly<Record<string, LoginErrorText>>;

/** The same of what the service itself reports. */
const OWN_TEXTS = {
  /** The provider's code is not on the list, or malformed. */
  provider_error: {
    sentence: 'The provider reported an error that this service does not recognize.',
    advice: 'Contact an administrator: the log of the provider says why.',
  },
  /** The provider sends more groups than fit into a session. */
  session_too_large: {
    sentence: 'You are in more groups than a session can hold.',
    advice: 'Have an administrator limit the groups that the provider sends to those that this service uses.',
  },
  /** The provider's email could be mistaken for another person's. */
  email_invalid: {
    sentence: 'Your email at the provider holds a character that this service does not accept.',
    advice: 'Have your email entered again at the provider, in plain letters and without spaces around it.',
  },
  /** The provider reports the email as not verified. */
  email_unverified: {
    sentence: 'The provider has not verified your email.',
    advice: 'Verify your email at the provider, then sign in again; if you cannot, contact an administrator.',
  },
} satisfies Readonly<Record<string, LoginErrorText>>;

type ProviderErrorCode = keyof typeof PROVIDER_TEXTS;
/** What the `idp_error` parameter of the login page can say. */
export type IdpError = ProviderErrorCode | keyof typeof OWN_TEXTS;

const TEXTS: Readonly<Record<IdpError, LoginErrorText>> = { ...PROVIDER_TEXTS, ...OWN_TEXTS };
export const PROVIDER_ERROR_CODES = Object.keys(PROVIDER_TEXTS) as readonly ProviderErrorCode[];
export const IDP_ERRORS = Object.keys(TEXTS) as readonly IdpError[];

/** The text for a failure without a code. */
const UNNAMED: LoginErrorText = {
  sentence: 'The sign-in did not complete.',
  advice: 'Try again in this window, with cookies allowed; if it keeps happening, contact an administrator.',
};

/** The text for the `idp_error` of the address; anything that is not a known code gets the unnamed text. */
export function loginErrorText(code: string | null): LoginErrorText & { readonly code?: IdpError } {
  if (code === null || !Object.hasOwn(TEXTS, code)) return UNNAMED;
  const known = code as IdpError;
  return { ...TEXTS[known], code: known };
}

/** Where a failed login ends: the sign-in page, with what {@link loginErrorOf} reads. */
export function failedLoginPage(idpError: IdpError | undefined): string {
  return `${PAGE_ROUTES.login}?auth=error${idpError === undefined ? '' : `&idp_error=${idpError}`}`;
}

/** What the sign-in page says under its own address; undefined when no login has failed. */
export function loginErrorOf(
  query: Pick<URLSearchParams, 'has' | 'get'>,
): ReturnType<typeof loginErrorText> | undefined {
  return query.has('auth') ? loginErrorText(query.get('idp_error')) : undefined;
}
