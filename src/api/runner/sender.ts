import type { Request, Response } from 'express';
import { actorFor, type Actor, type Admins, type Machine } from '../../access/actor.ts';
import type { Authorizer } from '../../access/authorizer.ts';
import type { WantedMachine } from '../../access/namespace-list.ts';
import type { Machines } from '../../auth/authentication.ts';
import { emailKey } from '../../contract/email.ts';
import { isNamespaceName } from '../../contract/names.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import { addressKey, type Limiter } from '../../server/server.ts';
import { auditActor, type AuditRecord } from './audit.ts';
import { identify, type Identification } from './authentication.ts';
import type { RequestContext, Route } from './route.ts';

/** A request of Express, and what handlers receive of it. */
export interface IncomingRequest {
  readonly request: Request;
  readonly response: Response;
  readonly context: RequestContext;
}

export interface SenderDependencies extends Identification {
  readonly admins: Admins;
  /** With auth disabled every actor is an admin, whatever the configured admins are. */
  readonly everyoneIsAdmin: boolean;
  /** Undefined where no issuer is trusted: the header is then not looked at. */
  readonly machines: Machines | undefined;
  readonly authorizer: Pick<Authorizer, 'identifyMachine'>;
  /** Counts refused tokens by the address of the client. */
  readonly tokenLimiter: Limiter;
}

/**
 * The machine that sends a request, by the first binding that its token matches; undefined for a request without the
 * header. With the header no cookie is looked at, whatever the header has.
 * @throws {ServiceError} `unauthenticated`, `forbidden` without a binding, `policyUnavailable`, `unavailable`
 */
export async function identifyMachine(
  { machines, authorizer, audit, tokenLimiter }: SenderDependencies,
  { request, response, context }: IncomingRequest,
  wanted: WantedMachine,
): Promise<Machine | undefined> {
  const { authorization } = request.headers;
  if (machines === undefined || authorization === undefined) return undefined;
  try {
    const token = await machines.authenticate(authorization, context.deadline);
    return await authorizer.identifyMachine(token, wanted, context.deadline);
  } catch (error) {
    if (isServiceError(error, 'unauthenticated', 'forbidden'))
      await tokenLimiter(addressKey(request), request);
    if (isServiceError(error, 'unauthenticated')) {
      audit.sessionRefused(context.origin, undefined);
      response.set('WWW-Authenticate', 'Bearer error="invalid_token"');
    }
    throw error;
  }
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

/** The sender of a request, and their session. */
export interface RequestSession {
  readonly actor: Actor;
  /** By which limits count the person, or the binding of a machine. */
  readonly person: string;
  /** A hash of the session's token; undefined with sign-in disabled, and for a machine. */
  readonly id: string | undefined;
}

/** @throws {ServiceError} `unauthenticated` */
export async function requireSession(
  dependencies: SenderDependencies,
  { request, context }: IncomingRequest,
): Promise<RequestSession> {
  const machine = await context.machine();
  if (machine !== undefined) return { actor: machine, person: machine.user.email, id: undefined };
  const { user, sessionId: id } = await identify(dependencies, request.headers.cookie, context.origin);
  if (user === undefined) throw new ServiceError('unauthenticated', 'Sign-in required');
  const actor = dependencies.everyoneIsAdmin ? { user, admin: true } : actorFor(user, dependencies.admins);
  return { actor, person: emailKey(user.email), id };
}

/** A machine is named by the binding that gave the level, which is known only once that was decided. */
export function nameMachine(audit: AuditRecord, { user, machine }: Actor): void {
  if (machine !== undefined) Object.assign(audit, auditActor(user, undefined, machine));
}
