import type { Authentication, PresentedSession } from '../../auth/authentication.ts';
import type { Audit } from './audit.ts';
import type { RequestOrigin } from './requests.ts';

/** What is needed to identify the sender of a request. */
export interface Identification {
  readonly authentication: Authentication;
  readonly audit: Audit;
}

/**
 * The user and the id of the session of a request; without a valid one there is no user. An invalid session is audited: browsers delete
 * an expired one, so it was forged, copied or ended early.
 */
export async function identify(
  { authentication, audit }: Identification,
  cookies: string | undefined,
  origin: RequestOrigin,
): Promise<PresentedSession> {
  const identity = await authentication.authenticate(cookies);
  if (identity.user === undefined && authentication.presentsSession(cookies)) {
    audit.sessionRefused(origin, identity.sessionId);
  }
  return identity;
}
