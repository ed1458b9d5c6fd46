import { PROVIDER_ERROR_CODES, type IdpError } from '../../contract/login-errors.ts';

/** Errors of the callback that are caused by the person: they cancelled, or have no access. */
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

/** The class of an error description, whose text is never logged; undefined if there is none. */
export function classifyDescription(description: unknown): DescriptionCode | undefined {
  if (typeof description !== 'string' || description === '') return undefined;
  if (Buffer.byteLength(description) > MAX_DESCRIPTION_BYTES) return 'omitted';
  return /redirect[\s_-]?ur[il]/i.test(description) ? 'redirect_uri' : 'provided';
}
