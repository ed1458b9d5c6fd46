import type { Request, RequestHandler, Response } from 'express';
import type { Actor } from '../../access/actor.ts';
import { isValidKey, KEY_RULE } from '../../contract/keys.ts';
import {
  isNamespaceName,
  isSecretName,
  isUid,
  NAME_RULE,
  NAMESPACE_RULE,
  UID_RULE,
} from '../../contract/names.ts';
import { parseVersion } from '../../kube/annotation-values.ts';
import { invalidRequest, isServiceError } from '../../errors/service-error.ts';
import { addressKey, hasBody, readForm, receiveBody, type ReceivedBody } from '../../server/server.ts';
import { startDeadline } from '../../timing/deadline.ts';
import type { Audit, AuditRecord } from './audit.ts';
import { nameMachine, requireSender, wantedBy, type Sender } from './sender.ts';
import { traceOf } from './requests.ts';
import type { NamespaceContext, RequestContext, Route, RouteOf, RouteResponse, Services } from './route.ts';

/**
 * Runs a route: each step adds to the context, and the first that throws ends it. The order is the contract's: session,
 * path, scope, then live visibility and authorization if the route names a Secret, then the body, then the checks of
 * the handler.
 */
export function runRoute(route: Route, services: Services): RequestHandler {
  return async (request, response) => {
    const trace = traceOf(response);
    trace.route = route.path;
    const context = {
      services,
      request,
      response,
      origin: trace.origin,
      query: new URLSearchParams(request.originalUrl.split('?').slice(1).join('?')),
      deadline: startDeadline(budgetOf(route)),
      wanted: wantedBy(route, request),
    };
    send(response, await responseOf(route, context));
  };
}

/** Without a session little is done. Reads take seconds; a write archives the previous state first. */
const LOCAL_BUDGET_MS = 5_000;
const READ_BUDGET_MS = 15_000;
const WRITE_BUDGET_MS = 30_000;

function budgetOf({ access, method, budgetMs }: Route): number {
  if (budgetMs !== undefined) return budgetMs;
  if (access === 'public' || access === 'page') return LOCAL_BUDGET_MS;
  return method === 'GET' ? READ_BUDGET_MS : WRITE_BUDGET_MS;
}

function send(response: Response, result: RouteResponse): void {
  if ('setCookies' in result) response.append('Set-Cookie', [...result.setCookies]);
  if ('headers' in result) response.set(result.headers);
  if ('redirectTo' in result) response.redirect(302, result.redirectTo);
  else if ('bytes' in result) {
    response.status(result.status).set('Content-Length', String(result.bytes.length));
    sendRest(response, response.req.method === 'HEAD' ? undefined : result.bytes);
  } else response.status(result.status).json(result.json);
}

const PIECE_BYTES = 65_536;

/** Over TLS a piece at a time, as the client takes them: TLS keeps a copy of all that it is given until the client has read it. */
function sendRest(response: Response, bytes?: Buffer): void {
  const isEncrypted = 'encrypted' in response.req.socket;
  if (bytes === undefined || bytes.length <= PIECE_BYTES || !isEncrypted) response.end(bytes);
  else if (!response.destroyed)
    response.write(bytes.subarray(0, PIECE_BYTES), () => {
      sendRest(response, bytes.subarray(PIECE_BYTES));
    });
}

async function responseOf(route: Route, context: RequestContext): Promise<RouteResponse> {
  if (route.access === 'page') return route.handle(context);
  if (route.access === 'public') {
    return route.limit === 'login' ? runSignInStep(route, context) : route.handle(context);
  }
  const sender = await requireSender(context);
  await context.services.personLimiter(sender.audit.actor);
  if (route.access === 'session') return runSessionRoute(route, context, sender);
  return runNamespaceRoute(route, context, sender);
}

async function runSignInStep(route: RouteOf<'public'>, context: RequestContext): Promise<RouteResponse> {
  const { loginLimiter, seats, authentication } = context.services;
  const flow = addressKey(context.origin.clientAddress);
  try {
    await loginLimiter(flow);
    // The time that the client takes to send the form does not count, and takes no seat.
    const form = route.form === undefined ? {} : { form: await readForm(context.request, context.response) };
    const ready = { ...context, ...form, deadline: startDeadline(budgetOf(route)) };
    return await seats.signIns.run({ flow, ...ready }, async () => route.handle(ready));
  } catch (error) {
    const isRefused = isServiceError(error, 'rateLimited', 'overloaded');
    if (isRefused && route.consumesLogin === true) {
      context.response.appendHeader('Set-Cookie', authentication.abandon());
    }
    throw error;
  }
}

async function runSessionRoute(
  route: RouteOf<'session'>,
  context: RequestContext,
  sender: Sender,
): Promise<RouteResponse> {
  const { action } = route;
  const named = context.query.get('namespace') ?? '';
  const namespace = action === 'secret.access' && isNamespaceName(named) ? named : undefined;
  const work = (): Promise<RouteResponse> =>
    withSeat(context, sender, async (actor) => route.handle({ ...context, actor }));
  if (action === undefined) return work();
  return audited(context.services.audit, { ...context.origin, ...sender.audit, action, namespace }, work);
}

type AnyNamespaceRoute = RouteOf<'namespace' | 'secret' | 'deleted'>;

/**
 * Runs a route within a namespace: the names in the path, the scope, the bytes of the body, a seat, the live Secret
 * where the route names one, the form of the body, the handler. Everything from the check of the namespace on is
 * audited.
 */
async function runNamespaceRoute(
  route: AnyNamespaceRoute,
  base: RequestContext,
  sender: Sender,
): Promise<RouteResponse> {
  const { services, request, response } = base;
  const named = segment(request, 'namespace') ?? '';
  traceOf(response).namespace = named;
  const audit: AuditRecord = {
    ...base.origin,
    ...sender.audit,
    action: route.access === 'secret' && route.describes?.(base) === true ? 'secret.describe' : route.action,
    namespace: named,
    // Of a change. Handlers raise it where a change needs more.
    ...(route.level === 'read' ? {} : { accessLevel: route.level }),
  };
  return audited(services.audit, audit, async () => {
    for (const name of ['name', 'key', 'uid'] as const) {
      const value = segment(request, name);
      if (value !== undefined) audit[name] = value;
    }
    const namespace = services.authorizer.requireScope(named);
    if (route.access === 'secret') route.requireOffered?.(services.config);
    else if (route.access === 'namespace' && route.sharesWork?.(base.query) === true)
      return route.handle({ ...base, actor: sender.actor, namespace, audit, input: () => undefined });
    const body =
      route.body !== undefined && (route.body.isOptional !== true || hasBody(request))
        ? await receiveBody(request, response, services.bodies, sender.audit.actor)
        : undefined;
    try {
      // The time that the client takes to send the body does not count.
      const context = { ...base, namespace, audit, deadline: startDeadline(budgetOf(route)) };
      return await withSeat(context, sender, (actor) =>
        authorizeAndHandle(route, { ...context, actor }, body),
      );
    } finally {
      body?.release();
    }
  });
}

/** The access decision, the form of the body, the handler. */
async function authorizeAndHandle(
  route: AnyNamespaceRoute,
  context: Omit<NamespaceContext, 'input'>,
  body: ReceivedBody | undefined,
): Promise<RouteResponse> {
  const { services, request, actor, namespace, audit, deadline } = context;
  const input = async () => {
    const json = await body?.parse();
    return () => noteChange(audit, route.body?.parse(json));
  };
  if (route.access === 'secret') {
    const wanted = { namespace, name: audit.name ?? '', level: route.level };
    const secret = await services.secrets.authorize(actor, wanted, deadline);
    nameMachine(audit, secret.actor);
    audit.uid = secret.live.uid;
    audit.version = secret.live.managed.version;
    const version = () => (audit.version = Number(segment(request, 'version')));
    return route.handle({
      ...{ ...context, actor: secret.actor, input: await input() },
      ...{ secret, version, key: audit.key },
    });
  }
  if (route.access === 'deleted') {
    const wanted = { namespace, uid: audit.uid ?? '' };
    const deleted = await services.secrets.deleted.authorize(actor, wanted, deadline);
    nameMachine(audit, deleted.actor);
    audit.name = deleted.final.of;
    audit.version = deleted.final.version;
    return route.handle({ ...context, actor: deleted.actor, input: await input(), deleted });
  }
  return route.handle({ ...context, input: await input() });
}

/** The audit line of a change says whether it has a note, and never repeats it. */
function noteChange(audit: AuditRecord, input: unknown): unknown {
  const { changeNote } = (input ?? {}) as { readonly changeNote?: unknown };
  if (typeof changeNote === 'string' && changeNote !== '') audit.changeNote = true;
  return input;
}

/**
 * Runs work with the cluster once it has a seat. Only then the session is read again: it may have expired or been
 * revoked while the body arrived, or while the request waited for its seat.
 */
function withSeat<Result>(context: RequestContext, sender: Sender, work: (actor: Actor) => Promise<Result>) {
  return context.services.seats.clusterWork.run({ flow: sender.audit.actor, ...context }, async () => {
    const { actor } = await requireSender(context);
    return work(actor);
  });
}

/** Does the work of a request, and writes its audit line once the outcome is final. */
async function audited(audit: Audit, record: AuditRecord, work: () => Promise<RouteResponse>) {
  const response = await work().catch((error: unknown) => {
    audit.failed(record, error);
    throw error;
  });
  audit.succeeded(record, 'status' in response && response.status === 202 ? 'pending' : 'succeeded');
  return response;
}

const SEGMENT_RULES = {
  namespace: [isNamespaceName, `namespace ${NAMESPACE_RULE}`],
  name: [isSecretName, `name ${NAME_RULE}`],
  key: [isValidKey, KEY_RULE],
  uid: [isUid, `uid ${UID_RULE}`],
  version: [(text: string) => (parseVersion(text) ?? 0) > 0, 'version must be a whole number of at least 1'],
} as const;

/**
 * A segment of the path; undefined on the routes that do not have it.
 * @throws {ServiceError} `invalidRequest`
 */
function segment(request: Request, name: keyof typeof SEGMENT_RULES): string | undefined {
  const value = request.params[name];
  const [isValid, rule] = SEGMENT_RULES[name];
  if (typeof value !== 'string') return undefined;
  if (isValid(value)) return value;
  throw invalidRequest(rule);
}
