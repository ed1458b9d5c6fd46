import type { Request, Response } from 'express';
import type { Admins } from '../../access/actor.ts';
import type { Authorizer } from '../../access/authorizer.ts';
import type { SecretsService } from '../../secrets/secrets-service.ts';
import type { Audit } from './audit.ts';
import type { BodyBudget } from '../../server/body-budget.ts';
import type { Limiter } from '../../server/limits.ts';
import type { Authentication } from './ports.ts';
import type { RequestContext } from './request-context.ts';
import type { RequestSeats } from '../../server/request-seats.ts';

/** What the route runner needs. */
export interface RunnerDependencies {
  readonly authentication: Authentication;
  readonly admins: Admins;
  /** With auth disabled every actor is an admin, whatever the configured admins are. */
  readonly everyoneIsAdmin: boolean;
  readonly authorizer: Authorizer;
  readonly secrets: SecretsService;
  readonly audit: Audit;
  readonly bodies: BodyBudget;
  readonly personLimiter: Limiter;
  readonly loginLimiter: Limiter;
  readonly seats: RequestSeats;
}

/** A request of Express, and what handlers receive of it. */
export interface IncomingRequest {
  readonly request: Request;
  readonly response: Response;
  readonly context: RequestContext;
}
