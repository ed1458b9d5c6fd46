import type { SessionUser } from '../../access/actor.ts';
import type { Audit } from './audit.ts';
import type { Authentication } from './ports.ts';
import type { RequestOrigin } from './requests.ts';

/** What it takes to say who a request comes from. */
export interface Identification {
  readonly authentication: Authentication;
  readonly audit: Audit;
}

/**
 * The user of the session that a request presents; undefined without a valid one. A session that is presented and
 * not valid is audited: browsers drop theirs when it expires, so it was forged, copied, or ended early.
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
