import type { RequestHandler, Response } from 'express';
import { startDeadline } from '../../timing/deadline.ts';
import { isServiceError } from '../../errors/service-error.ts';
import { auditActor } from './audit.ts';
import { audited } from './audited.ts';
import { addressKey } from '../../server/limits.ts';
import type { RequestContext } from './request-context.ts';
import { requireSession, withSeat, type RequestSession } from './request-session.ts';
import { traceOf } from './requests.ts';
import type { PublicRoute, Route, SessionRoute } from './route.ts';
import type { PageResponse, RouteResponse } from './route-response.ts';
import { runNamespaceRoute } from './run-namespace-route.ts';
import type { IncomingRequest, RunnerDependencies } from './runner.ts';

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
  await dependencies.personLimiter(session.person, incoming.request);
  if (route.access !== 'session') return runNamespaceRoute(route, dependencies, incoming, session);
  return runSessionRoute(route, dependencies, incoming, session);
}

async function runSessionRoute(
  route: SessionRoute,
  dependencies: RunnerDependencies,
  incoming: IncomingRequest,
  { actor: { user }, person, id }: RequestSession,
): Promise<RouteResponse> {
  const { context } = incoming;
  const work = (): Promise<RouteResponse> =>
    withSeat(dependencies, incoming, person, async (actor) => route.handle({ ...context, actor }));
  const { action } = route;
  if (action === undefined) return work();
  return audited(dependencies.audit, { ...context.origin, ...auditActor(user, id), action }, work);
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
