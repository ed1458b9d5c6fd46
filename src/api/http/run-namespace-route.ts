import type { Request } from 'express';
import { startDeadline, type Deadline } from '../../timing/deadline.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { emailKey } from '../../contract/email.ts';
import {
  isNamespaceName,
  isSecretName,
  isUid,
  NAME_RULE,
  NAMESPACE_RULE,
  UID_RULE,
} from '../../contract/names.ts';
import { auditActor, type AuditRecord } from './audit.ts';
import { audited } from './audited.ts';
import type { ReadBody } from './body-reader.ts';
import { hasBody } from './body.ts';
import type { NamespaceContext } from './request-context.ts';
import type { Seated } from './request-seats.ts';
import { traceOf } from './requests.ts';
import type { DeletedRoute, NamespaceRoute, SecretRoute } from './route.ts';
import type { RouteResponse } from './route-response.ts';
import type { IncomingRequest, RequestSession, RunnerDependencies } from './runner.ts';

/**
 * Runs a route within a namespace: the names in the path, the scope, a seat, the live Secret where the route names one,
 * the body, the handler. Everything from the check of the namespace on is audited.
 */
export async function runNamespaceRoute(
  route: NamespaceRoute | SecretRoute | DeletedRoute,
  dependencies: RunnerDependencies,
  { request, response, context: base }: IncomingRequest,
  { actor, id }: RequestSession,
): Promise<RouteResponse> {
  const named = requireNamespace(request);
  traceOf(response).namespace = named;
  const audit: AuditRecord = {
    ...base.origin,
    ...auditActor(actor.user, id),
    action: route.action,
    namespace: named,
  };
  return audited(dependencies.audit, audit, async () => {
    const name = segment(request, 'name');
    if (name !== undefined) audit.name = requireName(name);
    const uid = route.access === 'deleted' ? requireUid(segment(request, 'uid')) : '';
    if (route.access === 'deleted') audit.uid = uid;
    const namespace = dependencies.authorizer.requireScope(named);
    const context = { ...base, request, actor, namespace, audit, input: noBody };
    if (route.access === 'secret') route.requireOffered?.();
    else if (route.access === 'namespace' && route.sharesWork?.(base.query) === true)
      return route.handle(context);
    const { seats, bodies } = dependencies;
    return seats.forClusterWork({ flow: emailKey(actor.user.email), ...base }, (seated) =>
      bodies.during(id ?? '', async (read) => {
        const receive = () => receiveBody(route, context, read, seated);
        if (route.access === 'secret') return handleSecret(route, dependencies, context, receive);
        if (route.access === 'deleted')
          return handleDeleted(route, dependencies, { ...context, uid }, receive);
        return route.handle({ ...context, ...(await receive()) });
      }),
    );
  });
}

/** The body, and the deadline of what follows. */
type Received = Pick<NamespaceContext, 'input' | 'deadline'>;

async function handleSecret(
  route: SecretRoute,
  { secrets }: RunnerDependencies,
  context: NamespaceContext & { readonly request: Request },
  receive: () => Promise<Received>,
): Promise<RouteResponse> {
  const { request, actor, namespace, audit } = context;
  const ref = { namespace, name: audit.name ?? '' };
  const authorize = (deadline: Deadline) => secrets.authorize(actor, ref, deadline);
  const first = await authorize(context.deadline);
  audit.uid = first.live.uid;
  audit.version = secrets.version(first);
  // The Secret may have changed while the body arrived. A body with a revision detects that; for others the Secret is
  // read again.
  const wasUnderWay = !request.complete;
  const received = await receive();
  const mustDecideAgain = wasUnderWay && route.body?.isRequired === false;
  const secret = mustDecideAgain ? await authorize(received.deadline) : first;
  return route.handle({ ...context, ...received, secret, version: segment(request, 'version') });
}

/** As {@link handleSecret}. The body has no revision, so the decision is made again after a slow one. */
async function handleDeleted(
  route: DeletedRoute,
  { secrets }: RunnerDependencies,
  context: NamespaceContext & { readonly request: Request; readonly uid: string },
  receive: () => Promise<Received>,
): Promise<RouteResponse> {
  const { request, actor, namespace, audit, uid } = context;
  const authorize = (deadline: Deadline) => secrets.deleted.authorize(actor, { namespace, uid }, deadline);
  const first = await authorize(context.deadline);
  audit.name = first.final.of;
  audit.version = first.final.version;
  const wasUnderWay = !request.complete;
  const received = await receive();
  const deleted = wasUnderWay && route.body !== undefined ? await authorize(received.deadline) : first;
  return route.handle({ ...context, ...received, deleted });
}

/** The time that the client takes to send the body does not count: the deadline starts when the body has arrived. */
async function receiveBody(
  { body: spec, budgetMs }: NamespaceRoute | SecretRoute | DeletedRoute,
  { request, response, deadline }: NamespaceContext,
  read: ReadBody,
  seated: Seated,
): Promise<Received> {
  if (spec === undefined) return { input: noBody, deadline };
  if (!spec.isRequired && !hasBody(request)) return { input: () => spec.parse(undefined), deadline };
  return seated.whileAwaitingClient(async () => {
    const body = await read(request, response);
    return { input: () => spec.parse(body), deadline: startDeadline(budgetMs) };
  });
}

function noBody(): never {
  throw new TypeError('this route has no body');
}

function segment(request: Request, name: string): string | undefined {
  const value = request.params[name];
  return typeof value === 'string' ? value : undefined;
}

function requireNamespace(request: Request): string {
  const namespace = segment(request, 'namespace') ?? '';
  if (isNamespaceName(namespace)) return namespace;
  throw new ServiceError('invalidRequest', `namespace ${NAMESPACE_RULE}`);
}

function requireUid(uid = ''): string {
  if (isUid(uid)) return uid;
  throw new ServiceError('invalidRequest', `uid ${UID_RULE}`);
}

function requireName(name: string): string {
  if (isSecretName(name)) return name;
  throw new ServiceError('invalidRequest', `name ${NAME_RULE}`);
}
