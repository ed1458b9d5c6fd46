import type { SessionUser } from '../../access/actor.ts';
import type { Audit } from './audit.ts';
import type { RequestOrigin } from './requests.ts';

/** Where the browser goes next, with the cookies to set. */
export interface Redirect {
  readonly redirectTo: string;
  /** Complete `Set-Cookie` values. */
  readonly setCookies: readonly string[];
  /** `ok`, `replayed`, or why the login failed: one of a closed list, fit for a metric's label. */
  readonly outcome: string;
  /** Who signed in, when someone has. */
  readonly user?: SessionUser | undefined;
  /** The id of their session, as {@link Authentication.sessionId} returns it. */
  readonly sessionId?: string | undefined;
}

/** Who sends a request. */
export interface Identity {
  /** Undefined when there is no valid session. */
  readonly user: SessionUser | undefined;
  /** As {@link Authentication.sessionId} returns it. */
  readonly sessionId: string | undefined;
}

/** Identifies the user of a request, and signs people in and out. `cookies` is the request's `Cookie` header. */
export interface Authentication {
  authenticate(cookies: string | undefined): Promise<Identity>;
  /** Whether the request has anything that claims to be a session. */
  presentsSession(cookies: string | undefined): boolean;
  /** The hash of the session, valid or not, for audit lines and limits; undefined when there is none. */
  sessionId(cookies: string | undefined): string | undefined;
  /** Begins a login. @throws {ServiceError} `notConfigured` or `providerUnavailable` */
  begin(requestId: string): Promise<Redirect>;
  /**
   * Completes a login. A failure is a redirect, too.
   * @param url path and query as requested
   * @param requestBase scheme and host as the request came in
   * @param requestId for the log lines
   */
  finish(url: string, cookies: string | undefined, requestBase: string, requestId: string): Promise<Redirect>;
  /** `Set-Cookie` values that consume a login that is abandoned. */
  abandon(): readonly string[];
  /** `Set-Cookie` values that end the session. */
  end(cookies: string | undefined): readonly string[];
  /** Where the browser of `user` signs out at the provider, too; undefined where it does not. Never rejects. */
  providerLogout(user: SessionUser, requestId: string): Promise<string | undefined>;
}

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
): Promise<Identity> {
  const identity = await authentication.authenticate(cookies);
  if (identity.user === undefined && authentication.presentsSession(cookies)) {
    audit.sessionRefused(origin, identity.sessionId);
  }
  return identity;
}
