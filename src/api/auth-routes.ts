import { isServiceError } from '../errors/service-error.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Authentication, Redirect } from './ports.ts';
import type { Route } from './routes.ts';

/** A login asks the provider twice at most (token, UserInfo), each within its own shorter timeout. */
const LOGIN_BUDGET_MS = 30_000;
const LOCAL_BUDGET_MS = 5_000;

/** The browser also drops what it keeps of this site for its back button. */
const SIGNED_OUT = { 'Clear-Site-Data': '"cache"' };

export const CALLBACK_PATH = '/api/auth/callback';

/** Sign-in, sign-out, and who is signed in. */
export function authRoutes(
  authentication: Authentication,
  metrics: Pick<Metrics, 'countSignIn'>,
): readonly Route[] {
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
  return [
    {
      method: 'GET',
      path: '/api/auth/login',
      access: 'public',
      head: false,
      limit: 'login',
      budgetMs: LOGIN_BUDGET_MS,
      handle: ({ requestId }) => counted('login', authentication.begin(requestId)),
    },
    {
      method: 'GET',
      path: CALLBACK_PATH,
      access: 'public',
      head: false,
      limit: 'login',
      budgetMs: LOGIN_BUDGET_MS,
      handle: ({ request, url, requestBase, requestId }) =>
        counted('callback', authentication.finish(url, request.headers.cookie, requestBase, requestId)),
    },
    {
      // Public, because its 401 is the one answer that is not `{error}`.
      method: 'GET',
      path: '/api/auth/me',
      access: 'public',
      budgetMs: LOCAL_BUDGET_MS,
      async handle({ request }) {
        const user = (await authentication.authenticate(request.headers.cookie)) ?? null;
        return { status: user === null ? 401 : 200, json: { user } };
      },
    },
    {
      method: 'GET',
      path: '/api/auth/logout',
      access: 'public',
      head: false,
      budgetMs: LOCAL_BUDGET_MS,
      handle: ({ request }) =>
        Promise.resolve({
          redirectTo: '/login',
          setCookies: authentication.end(request.headers.cookie),
          headers: SIGNED_OUT,
        }),
    },
    {
      method: 'POST',
      path: '/api/auth/logout',
      access: 'public',
      budgetMs: LOCAL_BUDGET_MS,
      handle: ({ request }) =>
        Promise.resolve({
          status: 200,
          json: { ok: true },
          setCookies: authentication.end(request.headers.cookie),
          headers: SIGNED_OUT,
        }),
    },
  ];
}
