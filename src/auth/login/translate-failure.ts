import * as client from 'openid-client';
import { PROVIDER_ERROR_CODES, type IdpError } from '../../contract/login-errors.ts';
import { kindOf, ownPlaceOf } from '../../errors/error-origin.ts';
import { causesOf, systemCodeOf, type Link } from '../../errors/system-codes.ts';
import { LoginFailure, type DescriptionCode, type LoginFailureCode } from './login-failure.ts';

/** The library's codes, and what they mean for a login; undefined if only the evidence shows it. */
const BY_LIBRARY_CODE = {
  OAUTH_TIMEOUT: 'timeout',
  OAUTH_ABORT: 'timeout',
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'unexpected_status',
  OAUTH_RESPONSE_IS_NOT_JSON: 'invalid_response',
  OAUTH_PARSE_ERROR: 'invalid_response',
  OAUTH_INVALID_RESPONSE: undefined,
  OAUTH_INVALID_SERVER_METADATA: 'missing_endpoint',
  OAUTH_MISSING_SERVER_METADATA: 'missing_endpoint',
  OAUTH_HTTP_REQUEST_FORBIDDEN: 'insecure_endpoint',
  OAUTH_REQUEST_PROTOCOL_FORBIDDEN: 'insecure_endpoint',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'token_time_invalid',
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: 'invalid_id_token',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'issuer_mismatch',
  OAUTH_KEY_SELECTION_FAILED: 'signature_invalid',
  OAUTH_UNSUPPORTED_OPERATION: undefined,
} as const satisfies Readonly<Record<string, LoginFailureCode | undefined>>;

type LibraryCode = keyof typeof BY_LIBRARY_CODE;

/** Properties that the library adds to a general code, and what they mean. The first match counts. */
const BY_EVIDENCE: readonly (readonly [property: string, meaning: LoginFailureCode])[] = [
  ['signature', 'signature_invalid'],
  ['alg', 'algorithm_refused'],
  ['header', 'algorithm_refused'],
  ['parameters', 'token_issuer_mismatch'],
  ['claims', 'invalid_id_token'],
];

/** Which claim did not match. The library names it in the cause. */
const BY_CLAIM: ReadonlyMap<unknown, LoginFailureCode> = new Map([
  ['iss', 'token_issuer_mismatch'],
  ['aud', 'audience_mismatch'],
  ['azp', 'audience_mismatch'],
  ['nonce', 'nonce_mismatch'],
]);

/**
 * Turns any error of a request to the provider into a {@link LoginFailure}, by type and code only: messages and causes
 * contain addresses, bodies, tokens and claims.
 */
export function translateFailure(error: unknown): LoginFailure {
  const chain = causesOf(error);
  for (const link of chain) {
    if (link instanceof LoginFailure) return link;
    // Only the token endpoint answers in this form (RFC 6749, section 5.2).
    if (link instanceof client.ResponseBodyError) return refusal(link.error, link.error_description, 'token');
  }
  const reason = chain.map(({ code }) => code).find(isLibraryCode);
  if (reason !== undefined) return fromLibrary(reason, chain);
  // What the Web Crypto API throws for a JWK that it cannot import, such as a point that is not on its curve.
  if (chain.some((link) => link instanceof DOMException && link.name === 'DataError')) {
    return new LoginFailure('invalid_response', { stage: 'keys' });
  }
  const systemCode = systemCodeOf(error);
  // If the network fails, fetch throws a TypeError with a cause, which may be unknown.
  if (systemCode !== undefined || (error instanceof TypeError && error.cause !== undefined)) {
    return new LoginFailure('provider_unreachable', { systemCode });
  }
  // The innermost error says what happened, the outermost from this service's code where.
  const place = chain.map(ownPlaceOf).find((found) => found !== undefined);
  const innermost = chain.findLast((link) => link instanceof Error);
  return new LoginFailure('internal', { kind: kindOf(innermost ?? error), place });
}

function isLibraryCode(code: unknown): code is LibraryCode {
  return typeof code === 'string' && Object.hasOwn(BY_LIBRARY_CODE, code);
}

function fromLibrary(reason: LibraryCode, chain: readonly Link[]): LoginFailure {
  const evidence = BY_EVIDENCE.find(([property]) => chain.some((link) => Object.hasOwn(link, property)));
  const code =
    chain.map(({ claim }) => BY_CLAIM.get(claim)).find((meaning) => meaning !== undefined) ??
    BY_LIBRARY_CODE[reason] ??
    evidence?.[1] ??
    'invalid_response';
  // A signature is checked with the keys, whatever was requested last.
  return new LoginFailure(code, { reason, ...(code === 'signature_invalid' ? { stage: 'keys' } : {}) });
}

/** Errors of the callback that are caused by the person: they cancelled, or have no access. */
const DECLINED_BY_PERSON: readonly IdpError[] = [
  'access_denied',
  'account_selection_required',
  'consent_required',
  'interaction_required',
  'login_required',
];

/**
 * A refusal, classified by the provider's error code. Refusals in the callback that are caused by the person have a code
 * of their own: anyone can cancel a login, and operators need no alert for it. The same codes from the token endpoint are
 * a problem of the service.
 */
export function refusal(error: unknown, description: unknown, stage: 'callback' | 'token'): LoginFailure {
  const idpError = classifyErrorCode(error);
  const isPersons = stage === 'callback' && DECLINED_BY_PERSON.includes(idpError);
  return new LoginFailure(isPersons ? 'person_declined' : 'provider_refused', {
    stage,
    idpError,
    descriptionCode: classifyDescription(description),
  });
}

const MAX_CODE_CHARACTERS = 64;
const MAX_DESCRIPTION_BYTES = 2_048;

/** A provider's error code if it is a known one, `provider_error` otherwise. */
export function classifyErrorCode(code: unknown): IdpError {
  if (typeof code !== 'string' || code.length > MAX_CODE_CHARACTERS) return 'provider_error';
  return PROVIDER_ERROR_CODES.find((known) => known === code) ?? 'provider_error';
}

/** The class of an error description, whose text is never logged; undefined if there is none. */
export function classifyDescription(description: unknown): DescriptionCode | undefined {
  if (typeof description !== 'string' || description === '') return undefined;
  if (Buffer.byteLength(description) > MAX_DESCRIPTION_BYTES) return 'omitted';
  return /redirect[\s_-]?ur[il]/i.test(description) ? 'redirect_uri' : 'provided';
}
