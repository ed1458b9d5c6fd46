import { ApiError } from './http-client.ts';

/** The value that was read belongs to a newer version than the one on the page. */
export class NewerVersionError extends Error {
  override readonly name = 'NewerVersionError';
}

/** Why a value is not shown, or not copied. */
export function whyUnread(error: unknown): string {
  if (error instanceof NewerVersionError) return 'A newer version was saved.';
  if (!(error instanceof ApiError)) return "Your browser doesn't allow copying here.";
  if (error.status === 403) return 'You no longer have access to this value.';
  return error.status === 404 ? 'This key no longer exists.' : `Couldn't read the value: ${error.message}.`;
}
