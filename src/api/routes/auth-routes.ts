import { BEGIN_LOGIN_PATH, PAGE_ROUTES } from '../../contract/page-routes.ts';
import { ignoring, isServiceError } from '../../errors/service-error.ts';
import { auditActor } from '../runner/audit.ts';
import type { LoginRedirect } from '../../auth/authentication.ts';
import { json, publicRoute, type ApiRoute, type RequestContext } from '../runner/route.ts';
import { requireSender } from '../runner/sender.ts';
import type { Wire } from '../runner/request-body.ts';
import type * as z from 'zod';
import {
  failureHeadersOf,
  logoutResponse,
  meResponse,
  signedOutResponse,
  configResponse,
} from './response-schemas.ts';

/** A login makes at most two requests to the provider (token, UserInfo), each with its own shorter timeout. */
const LOGIN_BUDGET_MS = 30_000;

/** The browser also clears its back/forward cache of this site. */
const SIGNED_OUT = { 'Clear-Site-Data': '"cache"' };

/** Sign-in, sign-out, and who is signed in. */
export const authRoutes: readonly ApiRoute[] = [
  publicRoute({
    method: 'GET',
    path: BEGIN_LOGIN_PATH,
    head: false,
    limit: 'login',
    budgetMs: LOGIN_BUDGET_MS,
    operationId: 'login',
    tag: 'Authentication',
    summary: 'Begin a login',
    description: 'For browsers: goes to the identity provider, with a cookie that the callback needs.',
    responses: { 302: { description: 'To the identity provider.' } },
    errors: ['notConfigured', 'providerUnavailable'],
    handle: (context) =>
      counted(context, 'login', context.services.authentication.begin(context.origin.requestId)),
  }),
  publicRoute({
    method: 'GET',
    path: '/api/auth/callback',
    head: false,
    limit: 'login',
    consumesLogin: true,
    budgetMs: LOGIN_BUDGET_MS,
    operationId: 'loginCallback',
    tag: 'Authentication',
    summary: 'End a login; the provider sends the browser here',
    description: 'Sets the session cookie and goes to the pages; after a failed login, to the sign-in page.',
    responses: { 302: { description: 'To the pages, or to the sign-in page.' } },
    handle: (context) => counted(context, 'callback', finish(context)),
  }),
  publicRoute({
    // Public, because its 401 is the only one that is not `{error}`.
    method: 'GET',
    path: '/api/auth/me',
    operationId: 'getSessionUser',
    tag: 'Authentication',
    summary: 'Who is signed in',
    description:
      'The user of the session cookie or of a terminal, or the machine of the bearer token by its first binding. Without any of them the status is 401 and the user is null.',
    responses: {
      200: json('Someone is signed in.', meResponse),
      401: json('No valid session.', signedOutResponse, failureHeadersOf(401)),
    },
    errors: ['forbidden', 'rateLimited', 'policyUnavailable'],
    security: [{}, { session: [] }, { bearer: [] }],
    async handle(context) {
      try {
        const { actor, audit } = await requireSender(context);
        await context.services.personLimiter(audit.actor);
        return { status: 200, json: { user: actor.user } };
      } catch (error) {
        if (isServiceError(error, 'unauthenticated')) return { status: 401, json: { user: null } };
        throw error;
      }
    },
  }),
  publicRoute({
    method: 'GET',
    path: '/api/auth/logout',
    head: false,
    operationId: 'logoutAndRedirect',
    tag: 'Authentication',
    summary: 'End the session and go to the sign-in page, or to the logout of the provider',
    description: 'For links of pages. Clears the session cookie, whether or not the session is valid.',
    responses: { 302: { description: 'To the sign-in page, or to the logout of the provider.' } },
    security: [{}, { session: [] }],
    async handle(context) {
      const { setCookies, provider } = await signOut(context);
      return { redirectTo: provider ?? PAGE_ROUTES.login, setCookies, headers: SIGNED_OUT };
    },
  }),
  publicRoute({
    method: 'POST',
    path: '/api/auth/logout',
    operationId: 'logout',
    tag: 'Authentication',
    summary: 'End the session',
    description: 'For scripts. Clears the session cookie, whether or not the session is valid.',
    responses: { 200: json('Signed out.', logoutResponse) },
    security: [{}, { session: [] }],
    async handle(context) {
      const { setCookies, provider } = await signOut(context);
      const json = { ok: true, ...(provider === undefined ? {} : { redirectTo: provider }) } as const;
      return { status: 200, json, setCookies, headers: SIGNED_OUT };
    },
  }),
];

async function counted(
  { services: { metrics } }: RequestContext,
  step: 'login' | 'callback',
  work: Promise<LoginRedirect>,
): Promise<LoginRedirect> {
  try {
    const redirect = await work;
    metrics.inc('service_sign_ins_total', { step, outcome: redirect.outcome });
    return redirect;
  } catch (error) {
    // The reason is the login's own closed code. It distinguishes a bad signing key from a provider that is down.
    const outcome = isServiceError(error) ? (error.reason ?? error.code) : 'internal';
    metrics.inc('service_sign_ins_total', { step, outcome });
    throw error;
  }
}

async function finish({ services, request, origin }: RequestContext): Promise<LoginRedirect> {
  const { authentication, audit } = services;
  // Scheme and host as the request came in, if the proxy is trusted.
  const base = `${request.protocol}://${request.get('host') ?? ''}`;
  const { cookie } = request.headers;
  const redirect = await authentication.finish(request.originalUrl, cookie, base, origin.requestId);
  // A repeated callback is not audited: the first one was.
  if (redirect.outcome !== 'ok' && redirect.outcome !== 'replayed') {
    audit.session('session.signInFailed', { ...origin, code: redirect.outcome });
  } else if (redirect.user !== undefined) {
    audit.session('session.signIn', { ...origin, ...auditActor(redirect.user, redirect.sessionId) });
  }
  return redirect;
}

/**
 * The cookies that end the session, and where the browser signs out at the provider, too. Without a valid session no
 * one signs out, here or at the provider. The cookies are deleted in any case, also while the session cannot be checked.
 */
async function signOut({ services: { authentication, audit }, request, origin }: RequestContext) {
  const { cookie } = request.headers;
  const session = authentication.sessionId(cookie);
  const identity =
    session === undefined ? undefined : await authentication.authenticate(cookie).catch(ignoring());
  const user = identity?.user;
  if (user !== undefined) audit.session('session.signOut', { ...origin, ...auditActor(user, session) });
  const provider = user && (await authentication.providerLogout(user, origin.requestId));
  return { setCookies: authentication.end(cookie), provider };
}

/** What `GET /api/config` returns to everyone. Nothing in it is secret. */
export type PublicConfig = Wire<z.output<typeof configResponse>>;

export function configRoute(config: PublicConfig): ApiRoute {
  return publicRoute({
    method: 'GET',
    path: '/api/config',
    operationId: 'getConfig',
    tag: 'Service',
    summary: 'Public facts about this deployment',
    description: 'What pages and scripts need before anyone has signed in. Nothing secret is in it.',
    responses: { 200: json('The facts.', configResponse) },
    handle: () => ({ status: 200, json: config }),
  });
}
