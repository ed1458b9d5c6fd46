import * as client from 'openid-client';
import { PROVIDER_ERROR_CODES, type IdpError } from '../../contract/login-errors.ts';
import { kindOf, ownPlaceOf } from '../../errors/error-origin.ts';
import { systemCodeOf } from '../../errors/system-codes.ts';
import {
  LoginFailure,
  type DescriptionCode,
  type LoginFailureCode,
  type LoginStage,
} from './login-failure.ts';

/** Causes deeper than this are ignored (contract: error causes examined). */
const MAX_CAUSES = 8;

/** The library's codes, and what they mean for a login. */
const BY_LIBRARY_CODE = {
  OAUTH_TIMEOUT: 'timeout',
  OAUTH_ABORT: 'timeout',
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'unexpected_status',
  OAUTH_RESPONSE_IS_NOT_JSON: 'invalid_response',
  OAUTH_PARSE_ERROR: 'invalid_response',
  OAUTH_INVALID_RESPONSE: 'invalid_response',
  OAUTH_INVALID_SERVER_METADATA: 'missing_endpoint',
  OAUTH_MISSING_SERVER_METADATA: 'missing_endpoint',
  OAUTH_HTTP_REQUEST_FORBIDDEN: 'insecure_endpoint',
  OAUTH_REQUEST_PROTOCOL_FORBIDDEN: 'insecure_endpoint',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'token_time_invalid',
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: 'invalid_id_token',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'issuer_mismatch',
  OAUTH_KEY_SELECTION_FAILED: 'signature_invalid',
  OAUTH_UNSUPPORTED_OPERATION: 'invalid_response',
} as const satisfies Readonly<Record<string, LoginFailureCode>>;

type LibraryCode = keyof typeof BY_LIBRARY_CODE;

/** Properties that the library adds to a general code, and what they mean. The first match counts. */
const BY_EVIDENCE: readonly (readonly [property: string, meaning: LoginFailureCode])[] = [
  ['signature', 'signature_invalid'],
  ['alg', 'algorithm_refused'],
  ['header', 'algorithm_refused'],
  ['parameters', 'token_issuer_mismatch'],
  ['claims', 'invalid_id_token'],
];
const GENERAL_CODES: readonly LibraryCode[] = ['OAUTH_INVALID_RESPONSE', 'OAUTH_UNSUPPORTED_OPERATION'];

/** Which claim did not match. The library names it in the cause. */
const BY_CLAIM: Readonly<Record<string, LoginFailureCode>> = {
  iss: 'token_issuer_mismatch',
  aud: 'audience_mismatch',
  azp: 'audience_mismatch',
  nonce: 'nonce_mismatch',
};

/**
 * Turns any error of a request to the provider into a {@link LoginFailure}, by type and code only: messages and causes
 * contain addresses, bodies, tokens and claims.
 */
export function translateFailure(error: unknown): LoginFailure {
  const chain = causesOf(error);
  const own = chain.find((link) => link instanceof LoginFailure);
  if (own !== undefined) return own;
  for (const link of chain) {
    // Only the token endpoint answers in this form (RFC 6749, section 5.2).
    if (link instanceof client.ResponseBodyError) return refusal(link.error, link.error_description, 'token');
    if (link instanceof client.AuthorizationResponseError) {
      return refusal(link.error, link.error_description, 'callback');
    }
  }
  const reason = chain.map(libraryCodeOf).find((code) => code !== undefined);
  if (reason !== undefined) return fromLibrary(reason, chain);
  if (chain.some(isUnusableKey)) return new LoginFailure('invalid_response', { stage: 'keys' });
  const systemCode = systemCodeOf(error);
  if (systemCode !== undefined || isFetchFailure(error)) {
    return new LoginFailure('provider_unreachable', { systemCode });
  }
  return unexpected(chain, error);
}

/** A signature is checked with the keys, whether they were fetched for this login or an earlier one. */
function fromLibrary(reason: LibraryCode, chain: readonly object[]): LoginFailure {
  const code = meaningOf(reason, chain);
  return new LoginFailure(code, { reason, ...(code === 'signature_invalid' ? { stage: 'keys' } : {}) });
}

/** The innermost error says what happened, the outermost from this service's code where. */
function unexpected(chain: readonly object[], error: unknown): LoginFailure {
  const place = chain.map(ownPlaceOf).find((found) => found !== undefined);
  const innermost = chain.findLast((link) => link instanceof Error);
  return new LoginFailure('internal', { kind: kindOf(innermost ?? error), place });
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
 * A refusal in the callback. Refusals caused by the person have a code of their own: anyone can cancel a login, and
 * operators need no alert for it. The same codes from the token endpoint are a problem of the service.
 */
export function callbackRefusal(code: unknown, description: unknown): LoginFailure {
  const { code: refused, details } = refusal(code, description, 'callback');
  const isPersons = DECLINED_BY_PERSON.some((declined) => declined === details.idpError);
  return new LoginFailure(isPersons ? 'person_declined' : refused, details);
}

/** A refusal, classified by the provider's error code. */
function refusal(code: unknown, description: unknown, stage: LoginStage): LoginFailure {
  return new LoginFailure('provider_refused', {
    stage,
    idpError: classifyErrorCode(code),
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

function causesOf(error: unknown): readonly object[] {
  const chain: object[] = [];
  let current = error;
  while (chain.length < MAX_CAUSES && typeof current === 'object' && current !== null) {
    chain.push(current);
    current = (current as { cause?: unknown }).cause;
  }
  return chain;
}

function libraryCodeOf(link: object): LibraryCode | undefined {
  const { code } = link as { code?: unknown };
  return isLibraryCode(code) ? code : undefined;
}

function isLibraryCode(code: unknown): code is LibraryCode {
  return typeof code === 'string' && Object.hasOwn(BY_LIBRARY_CODE, code);
}

function meaningOf(libraryCode: LibraryCode, chain: readonly object[]): LoginFailureCode {
  if (libraryCode === 'OAUTH_JWT_CLAIM_COMPARISON_FAILED') {
    const claims = chain.map((link) => (link as { claim?: unknown }).claim);
    const claim = claims.find((name) => typeof name === 'string' && Object.hasOwn(BY_CLAIM, name));
    if (typeof claim === 'string') return BY_CLAIM[claim] ?? 'invalid_id_token';
  }
  if (GENERAL_CODES.includes(libraryCode)) {
    const found = BY_EVIDENCE.find(([property]) => chain.some((link) => Object.hasOwn(link, property)));
    if (found !== undefined) return found[1];
  }
  return BY_LIBRARY_CODE[libraryCode];
}

/** What fetch throws if the network fails: a TypeError with a cause, which may be unknown. */
function isFetchFailure(error: unknown): boolean {
  return error instanceof TypeError && error.cause !== undefined;
}

/** What the Web Crypto API throws for a JWK that it cannot import, such as a point that is not on its curve. */
function isUnusableKey(link: object): boolean {
  return link instanceof DOMException && link.name === 'DataError';
}
