import type { Request } from 'express';
import { actorFor, type Actor, type MachineToken } from '../../access/actor.ts';
import type { WantedMachine } from '../../access/namespace-list.ts';
import { isTerminalToken } from '../../auth/authentication.ts';
import { bearerRefused } from '../../access/machine-bindings.ts';
import { isNamespaceName } from '../../contract/names.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import { addressKey } from '../../server/server.ts';
import { auditActor, auditedMachine, type AuditActor, type AuditRecord } from './audit.ts';
import type { RequestContext, Route, Services } from './route.ts';

/** Who sends a request: a person, or a machine. */
export interface Sender {
  readonly actor: Actor;
  /**
   * With a hash of the session's token, except with sign-in disabled and for a machine. Limits count by its `actor`: the
   * person, or the binding of a machine.
   */
  readonly audit: AuditActor;
}

/** The bearer token that is checked; undefined where only a machine could have sent it and no issuer is trusted. */
export function bearerOf({ machines, terminal }: Services, { authorization }: Request['headers']) {
  if (authorization === undefined) return undefined;
  const token = BEARER.exec(authorization)?.[1] ?? '';
  const isTerminal = terminal !== undefined && isTerminalToken(token);
  return isTerminal || machines !== undefined ? { token, isTerminal } : undefined;
}

const BEARER = /^Bearer +(\S+)$/i;

/**
 * The sender of a request with a bearer token; undefined without one. With the header no cookie is looked at, whatever
 * the header has.
 * @throws {ServiceError} `unauthenticated`, `forbidden` without a binding, `rateLimited`, `policyUnavailable`, `unavailable`
 */
async function identifyBearer(context: RequestContext): Promise<Sender | undefined> {
  const { services, request, response, origin, wanted, deadline } = context;
  const bearer = bearerOf(services, request.headers);
  if (bearer === undefined) return undefined;
  // By the time that a token is refused, the client may be gone, and with it the address of its connection.
  const address = addressKey(origin.clientAddress);
  let machine: MachineToken | undefined;
  try {
    if (bearer.isTerminal) return await personAtTerminal(services, bearer.token);
    const beforeReview = () => services.tokenLimiter(address, 'look');
    machine = await services.machines?.authenticate(bearer.token, deadline, beforeReview);
    if (machine === undefined) return undefined;
    const actor = await services.authorizer.identifyMachine(machine, wanted, deadline);
    return { actor, audit: auditActor(actor.user, undefined, actor.machine) };
  } catch (error) {
    if (!isServiceError(error, 'unauthenticated', 'forbidden')) throw error;
    const sent = machine && { ...auditedMachine(machine), namespace: wanted.namespace };
    services.audit.session('session.refused', { ...origin, ...sent, code: error.code });
    await services.tokenLimiter(address);
    if (error.code === 'unauthenticated') response.set('WWW-Authenticate', 'Bearer error="invalid_token"');
    throw error;
  }
}

async function personAtTerminal({ terminal, admins }: Services, token: string): Promise<Sender> {
  const session = await terminal?.authenticate(token);
  if (session === undefined) throw bearerRefused('terminalToken');
  const { user, sessionId } = session;
  return { actor: actorFor(user, admins), audit: { ...auditActor(user, sessionId), via: 'terminal' } };
}

/** Before the checks of the path, so what is no name of a namespace counts as none. */
export function wantedBy(route: Route, { params }: Request): WantedMachine {
  const { namespace } = params;
  const level = 'level' in route && route.level !== 'none' ? route.level : 'read';
  return {
    namespace: typeof namespace === 'string' && isNamespaceName(namespace) ? namespace : undefined,
    level,
  };
}

/** @throws {ServiceError} `unauthenticated` */
export async function requireSender(context: RequestContext): Promise<Sender> {
  const bearer = await identifyBearer(context);
  if (bearer !== undefined) return bearer;
  const { admins, everyoneIsAdmin } = context.services;
  const { user, sessionId } = await requireSession(context);
  const actor = everyoneIsAdmin ? { user, admin: true } : actorFor(user, admins);
  return { actor, audit: auditActor(user, sessionId) };
}

/**
 * The session of a request, and its user. An invalid session is audited: browsers delete an expired one, so it was
 * forged, copied or ended early.
 * @throws {ServiceError} `unauthenticated`
 */
export async function requireSession({ services, request, origin }: RequestContext) {
  const { authentication, audit } = services;
  const { cookie } = request.headers;
  const { user, ...session } = await authentication.authenticate(cookie);
  if (user !== undefined) return { user, ...session };
  if (authentication.presentsSession(cookie))
    audit.session('session.refused', { ...origin, session: session.sessionId, code: 'unauthenticated' });
  throw new ServiceError('unauthenticated', 'Sign-in required');
}

/** A machine is named by the binding that gave the level, which is known only once that was decided. */
export function nameMachine(audit: AuditRecord, { user, machine }: Actor): void {
  if (machine !== undefined) Object.assign(audit, auditActor(user, undefined, machine));
}
