import { BEGIN_LOGIN_PATH, PAGE_ROUTES } from '../../contract/page-routes.ts';
import { isServiceError } from '../../errors/service-error.ts';
import type { SessionUser } from '../../access/actor.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { auditActor } from '../http/audit.ts';
import type { PublicExchange } from '../http/request-context.ts';
import { identify, type Identification } from '../http/identify.ts';
import type { Authentication, Redirect } from '../http/ports.ts';
import type { Route } from '../http/routes.ts';

/** A login asks the provider twice at most (token, UserInfo), each within its own shorter timeout. */
const LOGIN_BUDGET_MS = 30_000;
const LOCAL_BUDGET_MS = 5_000;

/** The browser also drops what it keeps of this site for its back button. */
const SIGNED_OUT = { 'Clear-Site-Data': '"cache"' };

export const CALLBACK_PATH = '/api/auth/callback';

interface AuthRouteDependencies extends Identification {
  readonly metrics: Pick<Metrics, 'countSignIn'>;
}

interface SignedOut {
  /** Cookies that end the session. */
  readonly setCookies: readonly string[];
  /** Where the browser ends its session at the provider, too. */
  readonly provider: string | undefined;
}

/** Sign-in, sign-out, and who is signed in. */
export function authRoutes({ authentication, audit, metrics }: AuthRouteDependencies): readonly Route[] {
  const counted = async (step: 'login' | 'callback', work: Promise<Redirect>): Promise<Redirect> => {
    try {
      const redirect = await work;
      metrics.countSignIn(step, redirect.outcome);
      return redirect;
    } catch (error) {
      // The reason is the login's own closed code, and tells a bad signing key from a provider that is away.
      metrics.countSignIn(step, isServiceError(error) ? (error.reason ?? error.code) : 'internal');
      throw error;
    }
  };
  const finish = async ({ request, url, requestBase, origin }: PublicExchange): Promise<Redirect> => {
    const redirect = await authentication.finish(url, request.headers.cookie, requestBase, origin.requestId);
    // Of a callback that came again there is nothing to audit: the sign-in is on the line of the first.
    if (redirect.outcome !== 'ok' && redirect.outcome !== 'replayed') {
      audit.signInFailed(origin, redirect.outcome);
    } else if (redirect.user !== undefined) {
      audit.signedIn(origin, auditActor(redirect.user, redirect.sessionId));
    }
    return redirect;
  };
  /** Where there is no valid session nobody signs out, here or at the provider; the cookies go in any case. */
  const signOut = async ({ request, origin }: PublicExchange): Promise<SignedOut> => {
    const { cookie } = request.headers;
    const session = authentication.sessionId(cookie);
    const user = session === undefined ? undefined : await whoSignsOut(authentication, cookie);
    if (user !== undefined) audit.signedOut(origin, auditActor(user, session));
    const provider = user && (await authentication.providerLogout(user, origin.requestId));
    return { setCookies: authentication.end(cookie), provider };
  };
  return [
    {
      method: 'GET',
      path: BEGIN_LOGIN_PATH,
      access: 'public',
      head: false,
      limit: 'login',
      budgetMs: LOGIN_BUDGET_MS,
      handle: ({ origin }) => counted('login', authentication.begin(origin.requestId)),
    },
    {
      method: 'GET',
      path: CALLBACK_PATH,
      access: 'public',
      head: false,
      limit: 'login',
      budgetMs: LOGIN_BUDGET_MS,
      handle: (exchange) => counted('callback', finish(exchange)),
    },
    {
      // Public, because its 401 is the one answer that is not `{error}`.
      method: 'GET',
      path: '/api/auth/me',
      access: 'public',
      budgetMs: LOCAL_BUDGET_MS,
      async handle({ request, origin }) {
        const user = (await identify({ authentication, audit }, request.headers.cookie, origin)) ?? null;
        return { status: user === null ? 401 : 200, json: { user } };
      },
    },
    {
      method: 'GET',
      path: '/api/auth/logout',
      access: 'public',
      head: false,
      budgetMs: LOCAL_BUDGET_MS,
      async handle(exchange) {
        const { setCookies, provider } = await signOut(exchange);
        return { redirectTo: provider ?? PAGE_ROUTES.login, setCookies, headers: SIGNED_OUT };
      },
    },
    {
      method: 'POST',
      path: '/api/auth/logout',
      access: 'public',
      budgetMs: LOCAL_BUDGET_MS,
      async handle(exchange) {
        const { setCookies, provider } = await signOut(exchange);
        const json = { ok: true, ...(provider === undefined ? {} : { redirectTo: provider }) };
        return { status: 200, json, setCookies, headers: SIGNED_OUT };
      },
    },
  ];
}

/** Signing out works also where the service cannot say now whether the session is valid: the cookie goes in any case. */
async function whoSignsOut(
  authentication: Authentication,
  cookie: string | undefined,
): Promise<SessionUser | undefined> {
  try {
    return await authentication.authenticate(cookie);
  } catch (error) {
    if (isServiceError(error)) return undefined;
    throw error;
  }
}
