import type { RequestHandler, Response } from 'express';
import { actorFor } from '../../access/actor.ts';
import { emailKey } from '../../contract/email.ts';
import { startDeadline } from '../../timing/deadline.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import { auditActor } from './audit.ts';
import { audited } from './audited.ts';
import { identify } from './identify.ts';
import { addressKey } from './limits.ts';
import type { RequestContext } from './request-context.ts';
import { traceOf } from './requests.ts';
import type { PublicRoute, Route, SessionRoute } from './route.ts';
import type { PageResponse, RouteResponse } from './route-response.ts';
import { runNamespaceRoute } from './run-namespace-route.ts';
import type { IncomingRequest, RequestSession, RunnerDependencies } from './runner.ts';

/**
 * Runs a route: each step adds to the context, and the first that throws ends it. The order is the contract's: session,
 * path, scope, then live visibility and authorization if the route names a Secret, then the body, then the checks of
 * the handler.
 */
export function runRoute(route: Route, dependencies: RunnerDependencies): RequestHandler {
  return async (request, response) => {
    traceOf(response).route = route.path;
    const context: RequestContext = {
      request,
      response,
      url: request.originalUrl,
      requestBase: `${request.protocol}://${request.get('host') ?? ''}`,
      origin: traceOf(response).origin,
      query: new URLSearchParams(request.originalUrl.split('?').slice(1).join('?')),
      deadline: startDeadline(route.budgetMs),
    };
    send(response, await responseOf(route, dependencies, { request, response, context }));
  };
}

async function responseOf(
  route: Route,
  dependencies: RunnerDependencies,
  incoming: IncomingRequest,
): Promise<RouteResponse | PageResponse> {
  const { context } = incoming;
  if (route.access === 'page') return route.handle(context);
  if (route.access === 'public') {
    return route.limit === 'login' ? runSignInStep(route, dependencies, incoming) : route.handle(context);
  }
  const session = await requireSession(dependencies, incoming);
  if (route.access !== 'session') return runNamespaceRoute(route, dependencies, incoming, session);
  return runSessionRoute(route, dependencies, context, session);
}

async function runSessionRoute(
  route: SessionRoute,
  { seats, audit }: RunnerDependencies,
  context: RequestContext,
  { actor, id }: RequestSession,
): Promise<RouteResponse> {
  const work = (): Promise<RouteResponse> =>
    seats.forClusterWork({ flow: emailKey(actor.user.email), ...context }, async () =>
      route.handle({ ...context, actor }),
    );
  const { action } = route;
  if (action === undefined) return work();
  return audited(audit, { ...context.origin, ...auditActor(actor.user, id), action }, work);
}

async function runSignInStep(
  route: PublicRoute,
  { loginLimiter, seats, authentication }: RunnerDependencies,
  { request, response, context }: IncomingRequest,
): Promise<RouteResponse> {
  const flow = addressKey(request);
  try {
    await loginLimiter(flow, request);
    return await seats.forSignIn({ flow, ...context }, async () => route.handle(context));
  } catch (error) {
    const isRefused = isServiceError(error, 'rateLimited', 'overloaded');
    if (isRefused && route.consumesLogin === true) {
      response.appendHeader('Set-Cookie', authentication.abandon());
    }
    throw error;
  }
}

async function requireSession(
  dependencies: RunnerDependencies,
  { request, context }: IncomingRequest,
): Promise<RequestSession> {
  const { user, sessionId: id } = await identify(dependencies, request.headers.cookie, context.origin);
  if (user === undefined) throw new ServiceError('unauthenticated', 'Sign-in required');
  await dependencies.personLimiter(emailKey(user.email), request);
  const actor = dependencies.everyoneIsAdmin ? { user, admin: true } : actorFor(user, dependencies.admins);
  return { actor, id };
}

function send(response: Response, result: RouteResponse | PageResponse): void {
  if ('setCookies' in result) response.append('Set-Cookie', [...result.setCookies]);
  if ('headers' in result) response.set(result.headers);
  if ('redirectTo' in result) response.redirect(302, result.redirectTo);
  else if ('bytes' in result) response.status(result.status).send(result.bytes);
  else if ('text' in result) response.status(result.status).type(result.type).send(result.text);
  else sendJson(response, result.status, JSON.stringify(result.json));
}

/** As Express would, without looking for validators, settings and a charset: nothing here depends on them. */
function sendJson(response: Response, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}
