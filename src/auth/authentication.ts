import type { SessionUser } from '../access/actor.ts';
import type { Settings } from '../config/settings.ts';
import type { Logger } from '../observability/logger.ts';
import { parseCookies, serializeCookie } from './session/cookies.ts';
import { mockAdmin } from './mock-admin.ts';
import type { ClaimDocuments } from './oidc/claims.ts';
import type { Fetch } from './oidc/provider-fetch.ts';
import { createGroupFilter } from './session/group-filter.ts';
import { joinSessionToken, presentsSession } from './session/session-cookies.ts';
import { sessionIdOf, type IsRevoked } from './session/session-reader.ts';
import { createSessions, type Identity } from './session/sessions.ts';
import { createSignIn, type SignInOptions, type SignInStep } from './oidc/sign-in.ts';
import { consumedTransaction } from './oidc/transaction.ts';

/** Where the browser goes next, with complete Set-Cookie values, and the outcome. */
export interface AuthenticationRedirect {
  readonly redirectTo: string;
  readonly setCookies: readonly string[];
  readonly outcome: SignInStep['outcome'];
  readonly user?: SessionUser | undefined;
  /** The {@link Authentication.sessionId} of the new session. */
  readonly sessionId?: string | undefined;
}

/** Identifies requests, and signs people in and out: this module in terms of HTTP headers. */
export interface Authentication {
  /** The signed-in user, and the id of the session; with sign-in disabled the user is always the mock admin. */
  authenticate(cookieHeader: string | undefined): Promise<Identity>;
  /** Whether the header holds anything that claims to be a session. */
  presentsSession(cookieHeader: string | undefined): boolean;
  /** The hex SHA-256 of the session's token, valid or not; undefined when there is none. */
  sessionId(cookieHeader: string | undefined): string | undefined;
  /** Begins a login. @throws {ServiceError} `notConfigured` or `providerUnavailable` */
  begin(requestId?: string): Promise<AuthenticationRedirect>;
  /** Completes a login. `url` is the path and query as requested. Never rejects. */
  finish(
    url: string,
    cookieHeader: string | undefined,
    requestBase?: string,
    requestId?: string,
  ): Promise<AuthenticationRedirect>;
  /** Set-Cookie values that consume a login that is abandoned. */
  abandon(): readonly string[];
  /** Set-Cookie values that end the session. */
  end(cookieHeader: string | undefined): readonly string[];
  /** Where the browser signs out at the provider, too; undefined where it does not. Never rejects. */
  providerLogout(user: SessionUser, requestId?: string): Promise<string | undefined>;
}

export interface AuthenticationOptions {
  readonly settings: Pick<Settings, 'auth' | 'access' | 'production'>;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly isRevoked?: IsRevoked | undefined;
  readonly fetch?: Fetch;
  /** Of one request to the provider. */
  readonly timeoutMs?: number;
  /** Called with the claims of a login once the tokens are verified, before the claims are checked. For the doctor. */
  readonly onClaims?: (documents: ClaimDocuments) => void;
  /** Called once for each login that requested UserInfo. */
  readonly countUserInfo?: NonNullable<SignInOptions['countUserInfo']>;
}

/** The module's public entry. The factories behind it are exported for tools and tests. */
export function createAuthentication({
  settings,
  isRevoked,
  ...rest
}: AuthenticationOptions): Authentication {
  const { auth, access, production } = settings;
  const sessions = createSessions({
    sessionSecret: auth.sessionSecret,
    previousSecret: auth.previousSessionSecret,
    isRevoked,
    now: rest.now,
    secureCookies: production,
    compact: auth.compactSessions,
  });
  const keepGroups = createGroupFilter(access.groupsFilter, access.adminGroups);
  const signIn = createSignIn({ auth, production, sessions, keepGroups, ...rest });
  return {
    authenticate: async (header) => {
      const cookies = parseCookies(header);
      return auth.disabled
        ? { user: mockAdmin, sessionId: presentedId(cookies) }
        : sessions.identify(cookies);
    },
    presentsSession,
    sessionId: (header) => presentedId(parseCookies(header)),
    begin: async (requestId) => inHeaders(await signIn.begin(requestId)),
    finish: async (url, header, requestBase, requestId) =>
      inHeaders(await signIn.finish({ url, cookies: parseCookies(header), requestBase, requestId })),
    abandon: () => consumedTransaction(production).map(serializeCookie),
    end: (header) => sessions.clear(parseCookies(header)).map(serializeCookie),
    providerLogout: (user, requestId) => signIn.providerLogout(user, requestId),
  };
}

function inHeaders({ redirectTo, cookies, outcome, user }: SignInStep): AuthenticationRedirect {
  const set = new Map(cookies.map(({ name, value }) => [name, value]));
  return { redirectTo, setCookies: cookies.map(serializeCookie), outcome, user, sessionId: presentedId(set) };
}

function presentedId(cookies: ReadonlyMap<string, string>): string | undefined {
  const token = joinSessionToken(cookies);
  return token === undefined ? undefined : sessionIdOf(token);
}
