import type { Request } from 'express';
import { startDeadline } from '../../timing/deadline.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { isValidKey, KEY_RULE } from '../../contract/keys.ts';
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
import { hasBody, receiveBody, type ReceivedBody } from '../../server/body.ts';
import type { NamespaceContext } from './request-context.ts';
import { withSeat, type RequestSession } from './request-session.ts';
import { traceOf } from './requests.ts';
import type { DeletedRoute, NamespaceRoute, SecretRoute } from './route.ts';
import type { RouteResponse } from './route-response.ts';
import type { IncomingRequest, RunnerDependencies } from './runner.ts';

type AnyNamespaceRoute = NamespaceRoute | SecretRoute | DeletedRoute;

/**
 * Runs a route within a namespace: the names in the path, the scope, the bytes of the body, a seat, the live Secret
 * where the route names one, the form of the body, the handler. Everything from the check of the namespace on is
 * audited.
 */
export async function runNamespaceRoute(
  route: AnyNamespaceRoute,
  dependencies: RunnerDependencies,
  incoming: IncomingRequest,
  session: RequestSession,
): Promise<RouteResponse> {
  const { request, response, context: base } = incoming;
  const named = requireNamespace(request);
  traceOf(response).namespace = named;
  const audit: AuditRecord = {
    ...base.origin,
    ...auditActor(session.actor.user, session.id),
    action: route.access === 'secret' && route.describes?.(base) === true ? 'secret.describe' : route.action,
    namespace: named,
    // Of a change. Handlers raise it where a change needs more.
    ...(route.level === 'read' ? {} : { accessLevel: route.level }),
  };
  return audited(dependencies.audit, audit, async () => {
    const name = segment(request, 'name');
    if (name !== undefined) audit.name = requireName(name);
    const key = segment(request, 'key');
    if (key !== undefined) audit.key = requireKey(key);
    if (route.access === 'deleted') audit.uid = requireUid(segment(request, 'uid'));
    const namespace = dependencies.authorizer.requireScope(named);
    if (route.access === 'secret') route.requireOffered?.();
    else if (route.access === 'namespace' && route.sharesWork?.(base.query) === true)
      return route.handle({ ...base, actor: session.actor, namespace, audit, input: noBody });
    const body = await bodyOf(route, dependencies, incoming, session.person);
    try {
      // The time that the client takes to send the body does not count.
      const context = { ...base, namespace, audit, deadline: startDeadline(route.budgetMs) };
      return await withSeat(dependencies, { ...incoming, context }, session.person, (actor) =>
        authorizeAndHandle(route, dependencies, { ...context, request, actor, input: noBody }, body),
      );
    } finally {
      body.release();
    }
  });
}

/** The access decision, the form of the body, the handler. */
async function authorizeAndHandle(
  route: AnyNamespaceRoute,
  { secrets }: RunnerDependencies,
  context: NamespaceContext & { readonly request: Request },
  body: ReceivedBody,
): Promise<RouteResponse> {
  const { request, actor, namespace, audit, deadline } = context;
  const input = async () => {
    const parsed = await body.parse();
    return () => (route.body === undefined ? noBody() : route.body.parse(parsed));
  };
  if (route.access === 'secret') {
    const wanted = { namespace, name: audit.name ?? '', level: route.level };
    const secret = await secrets.authorize(actor, wanted, deadline);
    audit.uid = secret.live.uid;
    audit.version = secrets.version(secret);
    const version = segment(request, 'version');
    return route.handle({ ...context, input: await input(), secret, version, key: audit.key });
  }
  if (route.access === 'deleted') {
    const deleted = await secrets.deleted.authorize(actor, { namespace, uid: audit.uid ?? '' }, deadline);
    audit.name = deleted.final.of;
    audit.version = deleted.final.version;
    return route.handle({ ...context, input: await input(), deleted });
  }
  return route.handle({ ...context, input: await input() });
}

const NO_BODY: ReceivedBody = { parse: () => Promise.resolve(undefined), release: () => undefined };

async function bodyOf(
  { body: spec }: AnyNamespaceRoute,
  { bodies }: RunnerDependencies,
  { request, response }: IncomingRequest,
  person: string,
): Promise<ReceivedBody> {
  if (spec === undefined || (!spec.isRequired && !hasBody(request))) return NO_BODY;
  return receiveBody(request, response, (end) => bodies.open(person, end));
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

function requireKey(key: string): string {
  if (isValidKey(key)) return key;
  throw new ServiceError('invalidRequest', KEY_RULE);
}

function requireName(name: string): string {
  if (isSecretName(name)) return name;
  throw new ServiceError('invalidRequest', `name ${NAME_RULE}`);
}
