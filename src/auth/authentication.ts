import type { SessionUser } from '../access/actor.ts';
import type { Settings } from '../config/settings.ts';
import { createSessionIssuer } from './login/issue-session.ts';
import { logFailure } from './login/login-failure.ts';
import { beginLogin, finishLogin, requireReady, type LoginContext, type LoginStep } from './login/login.ts';
import { createProviderLogout } from './login/logout.ts';
import { createProviderAccess } from './login/provider.ts';
import type { Fetch } from './login/provider-requests.ts';
import { consumedTransaction } from './login/transaction.ts';
import { translateFailure } from './login/translate-failure.ts';
import {
  joinSessionToken,
  parseCookies,
  presentsSession,
  serializeCookie,
  type Cookies,
} from './session/cookies.ts';
import type { IsRevoked } from './session/revocations.ts';
import { sessionIdOf } from './session/session-token.ts';
import { createSessions, type PresentedSession } from './session/sessions.ts';

export { createMachines, type Machines } from './machines/machines.ts';
export {
  CHALLENGE,
  createTerminalSignIn,
  isTerminalToken,
  type RedeemedCode,
  type TerminalSignIn,
} from './session/terminal.ts';
export type { PresentedSession } from './session/sessions.ts';

/** Where the browser goes next, with complete Set-Cookie values, and the outcome. */
export type LoginRedirect = ReturnType<typeof inHeaders>;

interface AuthenticationOptions extends Pick<LoginContext, 'logger' | 'onClaims' | 'metrics'> {
  readonly settings: Pick<Settings, 'auth' | 'access' | 'production'>;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly isRevoked?: IsRevoked | undefined;
  readonly fetch?: Fetch;
}

/** The user of every request with AUTH_DISABLED=true. For local development only. */
export const mockAdmin: SessionUser = Object.freeze({
  sub: 'local-bypass',
  email: 'admin@localhost',
  name: 'Local admin (sign-in is disabled)',
  groups: Object.freeze<string[]>([]),
});

export type Authentication = ReturnType<typeof createAuthentication>;

/** Identifies requests, and signs people in and out, in terms of HTTP headers: `header` is that of the cookies of a request. */
export function createAuthentication(options: AuthenticationOptions) {
  const { settings, logger } = options;
  const { auth, production } = settings;
  const context = loginContext(options);
  const { sessions } = context;
  const contextOf = (requestId?: string) => ({ ...context, logger: logger.with({ requestId }) });
  const logout = createProviderLogout(context.access);
  return {
    /** With sign-in disabled the user is always the mock admin. */
    authenticate: async (header: string | undefined): Promise<PresentedSession> => {
      const cookies = parseCookies(header);
      return auth.disabled
        ? { user: mockAdmin, sessionId: presentedId(cookies) }
        : sessions.identify(cookies);
    },
    /** Whether the request has anything that claims to be a session. */
    presentsSession,
    /** The hash of the session, valid or not, for audit lines and limits; undefined when there is none. */
    sessionId: (header: string | undefined) => presentedId(parseCookies(header)),
    /** Begins a login. @throws {ServiceError} `notConfigured` or `providerUnavailable` */
    begin: async (requestId?: string) =>
      inHeaders(auth.disabled ? home([]) : await beginLogin(contextOf(requestId))),
    /**
     * Completes a login. A failure is a redirect, too.
     * @param url path and query as requested
     * @param requestBase scheme and host as the request came in
     */
    finish: async (url: string, header: string | undefined, requestBase?: string, requestId?: string) =>
      inHeaders(
        auth.disabled
          ? home(consumedTransaction(production))
          : await finishLogin({ url, cookies: parseCookies(header), requestBase }, contextOf(requestId)),
      ),
    /** `Set-Cookie` values that consume a login that is abandoned. */
    abandon: () => consumedTransaction(production).map(serializeCookie),
    /** `Set-Cookie` values that end the session. */
    end: (header: string | undefined) => sessions.clear(parseCookies(header)).map(serializeCookie),
    /** Where the browser of `user` signs out at the provider, too; undefined where it does not. Never rejects. */
    providerLogout: async (user: SessionUser, requestId?: string) =>
      auth.disabled ? undefined : logout(user, logger.with({ requestId })),
  };
}

/**
 * Tries what a login does before the browser goes to the provider, and logs why it would fail. It keeps nothing: the first
 * login reads the provider again. Never rejects.
 */
export async function checkSignIn(options: AuthenticationOptions): Promise<void> {
  const { logger } = options;
  try {
    await requireReady(loginContext(options)).providers.current();
    logger.info('sign-in can begin');
  } catch (error) {
    logFailure(logger, 'sign-in will fail', translateFailure(error));
  }
}

function loginContext(options: AuthenticationOptions): LoginContext {
  const { settings, logger, now = Date.now, isRevoked, fetch = globalThis.fetch } = options;
  const { auth, production } = settings;
  const sessions = createSessions({ ...auth, isRevoked, now, secureCookies: production });
  const access = auth.oidc && createProviderAccess(auth.oidc, fetch, logger, now);
  return { ...options, access, sessions, issueSession: createSessionIssuer(sessions, settings), production };
}

function home(cookies: LoginStep['cookies']): LoginStep {
  return { redirectTo: '/', cookies, outcome: 'ok' };
}

function inHeaders({ cookies, ...step }: LoginStep) {
  return { ...step, setCookies: cookies.map(serializeCookie) };
}

function presentedId(cookies: Cookies): string | undefined {
  const token = joinSessionToken(cookies);
  return token === undefined ? undefined : sessionIdOf(token);
}
