import type { SessionUser } from '../../access/actor.ts';
import type { Audit } from './audit.ts';
import type { Authentication } from './ports.ts';
import type { RequestOrigin } from './requests.ts';

/** What is needed to identify the sender of a request. */
export interface Identification {
  readonly authentication: Authentication;
  readonly audit: Audit;
}

/**
 * The user of the session of a request; undefined without a valid one. An invalid session is audited: browsers delete
 * an expired one, so it was forged, copied or ended early.
 */
export async function identify(
  { authentication, audit }: Identification,
  cookies: string | undefined,
  origin: RequestOrigin,
): Promise<SessionUser | undefined> {
  const user = await authentication.authenticate(cookies);
  if (user === undefined && authentication.presentsSession(cookies)) {
    audit.sessionRefused(origin, authentication.sessionId(cookies));
  }
  return user;
}
