import type { Request } from 'express';
import { actorFor, type Actor, type Admins } from '../../access/actor.ts';
import type { WantedMachine } from '../../access/namespace-list.ts';
import { isTerminalToken, type Machines, type PresentedSession } from '../../auth/authentication.ts';
import { bearerRefused } from '../../access/machine-bindings.ts';
import { emailKey } from '../../contract/email.ts';
import { isNamespaceName } from '../../contract/names.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import { addressKey, type Limiter } from '../../server/server.ts';
import type { Deadline } from '../../timing/deadline.ts';
import { auditActor, type AuditActor, type AuditRecord } from './audit.ts';
import type { BearerSender, RequestContext, Route, Services } from './route.ts';

export interface SenderDependencies extends Services {
  readonly admins: Admins;
  /** With auth disabled every actor is an admin, whatever the configured admins are. */
  readonly everyoneIsAdmin: boolean;
  /** Undefined where no issuer is trusted. */
  readonly machines: Machines | undefined;
  /** Counts refused tokens by the address of the client. */
  readonly tokenLimiter: Limiter;
}

/** The bearer token of a request that is looked at: none where only machines could have it, and no issuer is trusted. */
export function bearerOf(
  { machines, terminal }: Pick<SenderDependencies, 'machines' | 'terminal'>,
  { authorization }: Request['headers'],
): { readonly token: string; readonly isTerminal: boolean } | undefined {
  if (authorization === undefined) return undefined;
  const token = BEARER.exec(authorization)?.[1] ?? '';
  const isTerminal = terminal !== undefined && isTerminalToken(token);
  return isTerminal || machines !== undefined ? { token, isTerminal } : undefined;
}

const BEARER = /^Bearer +(\S+)$/i;

/**
 * The sender of a request with a bearer token; undefined without one. With the header no cookie is looked at, whatever
 * the header has.
 * @throws {ServiceError} `unauthenticated`, `forbidden` without a binding, `policyUnavailable`, `unavailable`
 */
export async function identifyBearer(
  dependencies: SenderDependencies,
  { request, response, origin, deadline }: RequestContext,
  wanted: WantedMachine,
): Promise<BearerSender | undefined> {
  const bearer = bearerOf(dependencies, request.headers);
  if (bearer === undefined) return undefined;
  const { audit, tokenLimiter } = dependencies;
  try {
    return await (bearer.isTerminal
      ? personAtTerminal(dependencies, bearer.token)
      : machineOf(dependencies, bearer.token, wanted, deadline));
  } catch (error) {
    if (isServiceError(error, 'unauthenticated', 'forbidden')) await tokenLimiter(addressKey(request));
    if (isServiceError(error, 'unauthenticated')) {
      audit.sessionRefused(origin, undefined);
      response.set('WWW-Authenticate', 'Bearer error="invalid_token"');
    }
    throw error;
  }
}

async function personAtTerminal(
  { terminal, admins }: SenderDependencies,
  token: string,
): Promise<BearerSender> {
  const session = await terminal?.authenticate(token);
  if (session === undefined) throw bearerRefused('terminalToken');
  const { user, sessionId } = session;
  return { actor: actorFor(user, admins), audit: { ...auditActor(user, sessionId), via: 'terminal' } };
}

async function machineOf(
  { machines, authorizer }: SenderDependencies,
  token: string,
  wanted: WantedMachine,
  deadline: Deadline,
): Promise<BearerSender | undefined> {
  const verified = await machines?.authenticate(token, deadline);
  if (verified === undefined) return undefined;
  const actor = await authorizer.identifyMachine(verified, wanted, deadline);
  return { actor, audit: auditActor(actor.user, undefined, actor.machine) };
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

/** The sender of a request. */
export interface RequestSession {
  readonly actor: Actor;
  /** By which limits count the person, or the binding of a machine. */
  readonly person: string;
  /** With a hash of the session's token, except with sign-in disabled and for a machine. */
  readonly audit: AuditActor;
}

/** @throws {ServiceError} `unauthenticated` */
export async function requireSession(
  dependencies: SenderDependencies,
  context: RequestContext,
): Promise<RequestSession> {
  const bearer = await context.bearer();
  if (bearer !== undefined) return { ...bearer, person: emailKey(bearer.actor.user.email) };
  const { user, sessionId: id } = await identify(context);
  if (user === undefined) throw new ServiceError('unauthenticated', 'Sign-in required');
  const actor = dependencies.everyoneIsAdmin ? { user, admin: true } : actorFor(user, dependencies.admins);
  return { actor, person: emailKey(user.email), audit: auditActor(user, id) };
}

/**
 * The user and the id of the session of a request; without a valid one there is no user. An invalid session is audited:
 * browsers delete an expired one, so it was forged, copied or ended early.
 */
export async function identify({
  services: { authentication, audit },
  request,
  origin,
}: RequestContext): Promise<PresentedSession> {
  const { cookie } = request.headers;
  const identity = await authentication.authenticate(cookie);
  if (identity.user === undefined && authentication.presentsSession(cookie)) {
    audit.sessionRefused(origin, identity.sessionId);
  }
  return identity;
}

/** A machine is named by the binding that gave the level, which is known only once that was decided. */
export function nameMachine(audit: AuditRecord, { user, machine }: Actor): void {
  if (machine !== undefined) Object.assign(audit, auditActor(user, undefined, machine));
}
