import type { Request, RequestHandler, Response } from 'express';
import { actorFor, type Actor, type Admins } from '../../access/actor.ts';
import { emailKey } from '../../contract/email.ts';
import type { Authorizer } from '../../access/authorizer.ts';
import { startCall, type Call } from '../../timing/deadline.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import { isNamespaceName, isSecretName, NAME_RULE, NAMESPACE_RULE } from '../../contract/names.ts';
import type { SecretsService } from '../../secrets/secrets-service.ts';
import { auditActor, type Audit, type AuditRecord } from './audit.ts';
import { hasBody } from './body.ts';
import type { BodyReader, ReadBody } from './body-reader.ts';
import { CALLBACK_PATH } from '../routes/auth-routes.ts';
import type { Answer, NamespaceExchange, PublicExchange } from './request-context.ts';
import { identify } from './identify.ts';
import { addressKey, type Limiter } from './limits.ts';
import type { Authentication } from './ports.ts';
import type { RequestSeats, Seated } from './request-seats.ts';
import { traceOf, type RequestOrigin } from './requests.ts';
import type { Route } from './routes.ts';

export interface RunnerDependencies {
  readonly authentication: Authentication;
  readonly admins: Admins;
  /** With auth disabled every actor is an admin, whatever the configured admins are. */
  readonly everyoneIsAdmin: boolean;
  readonly authorizer: Authorizer;
  readonly secrets: SecretsService;
  readonly audit: Audit;
  readonly bodies: BodyReader;
  readonly sessionLimiter: Limiter;
  readonly loginLimiter: Limiter;
  readonly seats: RequestSeats;
}

/**
 * Runs a route: each step adds to what is known of the request, and the first that objects ends it.
 * The order is the contract's: session, path, scope, then live visibility and authorization where the route names a Secret,
 * then the body, and only then what the handler checks.
 */
export function runRoute(route: Route, dependencies: RunnerDependencies): RequestHandler {
  return async (request, response) => {
    traceOf(response).route = route.path;
    send(response, await answerOf(route, dependencies, request, response));
  };
}

async function answerOf(
  route: Route,
  dependencies: RunnerDependencies,
  request: Request,
  response: Response,
): Promise<Answer> {
  const base: PublicExchange = {
    request,
    response,
    url: request.originalUrl,
    requestBase: `${request.protocol}://${request.get('host') ?? ''}`,
    origin: traceOf(response).origin,
    query: new URLSearchParams(request.originalUrl.split('?').slice(1).join('?')),
    call: startCall(route.budgetMs),
  };
  if (route.access === 'public') {
    return route.limit === 'login' ? signInStep(route, dependencies, base, request) : route.handle(base);
  }
  const actor = await requireActor(dependencies, request, base.origin);
  const seat = { flow: emailKey(actor.user.email), response, call: base.call };
  const { seats } = dependencies;
  if (route.access === 'session') return seats.forClusterWork(seat, () => route.handle({ ...base, actor }));
  const namespace = segment(request, 'namespace') ?? '';
  if (!isNamespaceName(namespace)) throw new ServiceError('invalidRequest', `namespace ${NAMESPACE_RULE}`);
  traceOf(response).namespace = namespace;
  const audit: AuditRecord = {
    ...base.origin,
    ...auditActor(actor.user, dependencies.authentication.sessionId(request.headers.cookie)),
    action: route.action,
    namespace,
  };
  return audited(dependencies.audit, audit, async () => {
    const name = segment(request, 'name');
    if (name !== undefined) audit.name = requireName(name);
    dependencies.authorizer.requireScope(namespace);
    const session = dependencies.authentication.sessionKey(request.headers.cookie);
    const exchange = { ...base, actor, namespace, audit };
    if (route.access === 'secret') route.requireOffered?.();
    else if (route.sharesWork === true) return route.handle({ ...exchange, body: undefined });
    const work = async (read: ReadBody, seated: Seated): Promise<Answer> => {
      const receive = () => receiveBody(route, base, read, seated);
      if (route.access === 'namespace') return route.handle({ ...exchange, ...(await receive()) });
      const authorize = (call: Call) =>
        dependencies.secrets.authorize(actor, { namespace, name: name ?? '' }, call);
      const first = await authorize(base.call);
      audit.uid = first.live.uid;
      audit.version = dependencies.secrets.version(first);
      // A body that was still on its way outlasts the decision. The revision in it shows what has changed, where it has one.
      const wasUnderWay = !request.complete;
      const { body, call } = await receive();
      const secret = wasUnderWay && route.body === 'json, or none' ? await authorize(call) : first;
      return route.handle({ ...exchange, body, call, secret, version: segment(request, 'version') });
    };
    return seats.forClusterWork(seat, (seated) =>
      dependencies.bodies.during(session, (read) => work(read, seated)),
    );
  });
}

/** The body, and the time budget of what follows: the time that the client takes to send it is not the work's. */
async function receiveBody(
  route: Route & { readonly body?: string },
  { request, response, call }: PublicExchange,
  read: ReadBody,
  seated: Seated,
): Promise<Pick<NamespaceExchange, 'body' | 'call'>> {
  const isSent = route.body === 'json' || (route.body === 'json, or none' && hasBody(request));
  if (!isSent) return { body: undefined, call };
  return seated.whileAwaitingClient(async () => {
    const body = await read(request, response);
    return { body, call: startCall(route.budgetMs) };
  });
}

/** A callback consumes its login whatever comes of it, also when it is one too many. */
async function signInStep(
  route: Route & { readonly access: 'public' },
  { loginLimiter, seats, authentication }: RunnerDependencies,
  base: PublicExchange,
  request: Request,
): Promise<Answer> {
  const flow = addressKey(request);
  try {
    await loginLimiter(flow, request);
    return await seats.forSignIn({ flow, ...base }, () => route.handle(base));
  } catch (error) {
    const isRefused = isServiceError(error, 'rateLimited', 'overloaded');
    if (isRefused && route.path === CALLBACK_PATH)
      base.response.appendHeader('Set-Cookie', authentication.abandon());
    throw error;
  }
}

async function requireActor(
  dependencies: RunnerDependencies,
  request: Request,
  origin: RequestOrigin,
): Promise<Actor> {
  const user = await identify(dependencies, request.headers.cookie, origin);
  if (user === undefined) throw new ServiceError('unauthenticated', 'Sign-in required');
  await dependencies.sessionLimiter(dependencies.authentication.sessionKey(request.headers.cookie), request);
  return dependencies.everyoneIsAdmin ? { user, admin: true } : actorFor(user, dependencies.admins);
}

function segment(request: Request, name: string): string | undefined {
  const value = request.params[name];
  return typeof value === 'string' ? value : undefined;
}

function requireName(name: string): string {
  if (isSecretName(name)) return name;
  throw new ServiceError('invalidRequest', `name ${NAME_RULE}`);
}

async function audited(audit: Audit, record: AuditRecord, work: () => Promise<Answer>): Promise<Answer> {
  let answer: Answer;
  try {
    answer = await work();
  } catch (error) {
    audit.failed(record, error);
    throw error;
  }
  audit.succeeded(record, 'status' in answer && answer.status === 202 ? 'pending' : 'succeeded');
  return answer;
}

function send(response: Response, answer: Answer): void {
  if ('setCookies' in answer) response.append('Set-Cookie', [...answer.setCookies]);
  if ('headers' in answer) response.set(answer.headers);
  if ('redirectTo' in answer) response.redirect(302, answer.redirectTo);
  else if ('bytes' in answer) response.status(answer.status).send(answer.bytes);
  else if ('text' in answer) response.status(answer.status).type(answer.type).send(answer.text);
  else response.status(answer.status).json(answer.json);
}
