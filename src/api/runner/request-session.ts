import { actorFor, type Actor } from '../../access/actor.ts';
import { emailKey } from '../../contract/email.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { identify } from './identify.ts';
import type { IncomingRequest, RunnerDependencies } from './runner.ts';

/** The sender of a request, and their session. */
export interface RequestSession {
  readonly actor: Actor;
  /** By which limits count the person. */
  readonly person: string;
  /** A hash of the session's token; undefined with sign-in disabled. */
  readonly id: string | undefined;
}

/** @throws {ServiceError} `unauthenticated` */
export async function requireSession(
  dependencies: RunnerDependencies,
  { request, context }: IncomingRequest,
): Promise<RequestSession> {
  const { user, sessionId: id } = await identify(dependencies, request.headers.cookie, context.origin);
  if (user === undefined) throw new ServiceError('unauthenticated', 'Sign-in required');
  const actor = dependencies.everyoneIsAdmin ? { user, admin: true } : actorFor(user, dependencies.admins);
  return { actor, person: emailKey(user.email), id };
}

/**
 * Runs work with the cluster once it has a seat. Only then the session is read again: it may have expired or been
 * revoked while the body arrived, or while the request waited for its seat.
 */
export function withSeat<Result>(
  dependencies: RunnerDependencies,
  incoming: IncomingRequest,
  person: string,
  work: (actor: Actor) => Promise<Result>,
): Promise<Result> {
  const { response, deadline } = incoming.context;
  return dependencies.seats.forClusterWork({ flow: person, response, deadline }, async () => {
    const { actor } = await requireSession(dependencies, incoming);
    return work(actor);
  });
}
