import type * as z from 'zod';
import type { AccessLevel, GivenLevel } from '../../contract/access-rules.ts';
import type { ErrorCode } from '../../errors/service-error.ts';
import type { Audit, AuditRecord, SecretAction } from './audit.ts';
import type { RequestBody, Wire } from './request-body.ts';
import type { Request, Response } from 'express';
import type { Actor, Admins } from '../../access/actor.ts';
import type { WantedMachine } from '../../access/namespace-list.ts';
import type { NamespaceInScope } from '../../access/namespace-scope.ts';
import type { Deadline } from '../../timing/deadline.ts';
import type { AuthorizedSecret, UpTo, AuthorizedDeleted } from '../../secrets/authorize.ts';
import type { Authorizer } from '../../access/authorizer.ts';
import type { Authentication, Machines, TerminalSignIn } from '../../auth/authentication.ts';
import type { Lists } from '../../lists/lists.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { SecretsService } from '../../secrets/secrets-service.ts';
import type { BodyBudget, Limiter, RequestSeats } from '../../server/server.ts';
import type { Consumers } from '../../workloads/consumers.ts';
import type { RequestOrigin } from './requests.ts';

/** What the runner and the handlers work with. */
export interface Services {
  readonly authentication: Authentication;
  /** Undefined with sign-in disabled. */
  readonly terminal: TerminalSignIn | undefined;
  /** Undefined where no issuer is trusted. */
  readonly machines: Machines | undefined;
  readonly admins: Admins;
  /** With auth disabled every actor is an admin, whatever the configured admins are. */
  readonly everyoneIsAdmin: boolean;
  readonly authorizer: Authorizer;
  readonly secrets: SecretsService;
  readonly lists: Lists;
  readonly consumers: Consumers;
  /** What the installation offers: without it the service has no rights for it either. */
  readonly config: { readonly consumersEnabled: boolean; readonly restartEnabled: boolean };
  readonly bodies: BodyBudget;
  readonly personLimiter: Limiter;
  readonly loginLimiter: Limiter;
  /** Counts refused tokens by the address of the client. */
  readonly tokenLimiter: Limiter;
  readonly seats: RequestSeats;
  readonly audit: Audit;
  readonly metrics: Metrics;
}

/** A request, as the steps of the runner and the handler of a public route receive it. */
export interface RequestContext {
  readonly services: Services;
  readonly request: Request;
  readonly response: Response;
  readonly origin: RequestOrigin;
  readonly query: URLSearchParams;
  readonly deadline: Deadline;
  /** What a machine must be bound to. */
  readonly wanted: WantedMachine;
  /** That of a public route that has one. */
  readonly form?: URLSearchParams;
}

/** … once a valid session is established. */
interface SessionContext extends RequestContext {
  readonly actor: Actor;
}

/** … within a namespace of the scope. */
export interface NamespaceContext<Input = unknown> extends SessionContext {
  readonly namespace: NamespaceInScope;
  /**
   * The body of a write, checked by the schema of its route.
   * @throws {ServiceError} `invalidRequest`, naming the field and the rule
   */
  readonly input: () => Input;
  /** Fields of the audit line. Handlers add to them. */
  readonly audit: AuditRecord;
}

/** … on a live Secret on which the actor has the level of the route. */
interface SecretContext<
  Input = unknown,
  Level extends AccessLevel = AccessLevel,
> extends NamespaceContext<Input> {
  readonly secret: AuthorizedSecret<UpTo<Level>>;
  /**
   * The `:version` segment, on the routes that have one; the audit line then names it.
   * @throws {ServiceError} `invalidRequest`
   */
  readonly version: () => number;
  /** The `:key` segment, a valid name, on the routes that have one. */
  readonly key: string | undefined;
}

/** … on a deleted Secret that the actor may manage. */
interface DeletedContext<Input = unknown> extends NamespaceContext<Input> {
  readonly deleted: AuthorizedDeleted;
}

export type ResponseHeaders = Readonly<Record<string, string>>;

interface Extras {
  /** Complete `Set-Cookie` values. */
  readonly setCookies?: readonly string[];
  readonly headers?: ResponseHeaders;
}

export interface JsonResponse<Status extends number = number, Body = unknown> extends Extras {
  readonly status: Status;
  readonly json: Body;
}

/** JSON that is already serialized, the bytes of a value, a page. */
export interface SerializedResponse<Status extends number = number> extends Extras {
  readonly status: Status;
  readonly bytes: Buffer;
  readonly headers: ResponseHeaders;
}

/** The header of JSON that is already serialized. */
export const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

export interface RedirectResponse extends Extras {
  readonly redirectTo: string;
}

/** What a handler returns. */
export type RouteResponse = JsonResponse | SerializedResponse | RedirectResponse;

/** A response as the route's record declares it, in the form of the OpenAPI document. Without content it is a redirect. */
export interface ResponseSpec {
  readonly description: string;
  /** Headers of this response, beyond those that every response has. */
  readonly headers?: z.ZodObject;
}

export interface JsonSpec<Schema extends z.ZodType = z.ZodType> extends ResponseSpec {
  readonly content: { readonly 'application/json': { readonly schema: Schema } };
}

/** Bytes as they are stored. */
export const BYTES = {
  'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
} as const;

/** Bytes of any form. */
export interface BytesSpec extends ResponseSpec {
  readonly content: typeof BYTES;
}

/** Successful responses by status, and failures that are not `{error}`. */
export type ResponseSpecs = Readonly<Record<number, ResponseSpec>>;

/** Declares a JSON response. */
export function json<Schema extends z.ZodType>(
  description: string,
  schema: Schema,
  headers?: z.ZodObject,
): JsonSpec<Schema> {
  return { description, content: { 'application/json': { schema } }, ...(headers && { headers }) };
}

/**
 * The responses that a handler of a route with these specifications may return. Tests check the shape of JSON that it
 * returns serialized.
 */
export type ResponseOf<Specs extends ResponseSpecs> = {
  [Status in keyof Specs & number]: Specs[Status] extends JsonSpec<infer Schema>
    ? JsonResponse<Status, Wire<z.output<Schema>>> | SerializedResponse<Status>
    : Specs[Status] extends BytesSpec
      ? SerializedResponse<Status>
      : RedirectResponse;
}[keyof Specs & number];

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface RouteBase {
  readonly method: Method;
  /** Express path pattern; also the `route` label of metrics and log lines. */
  readonly path: string;
  /** The time budget of the work, in milliseconds; run-route.ts has the defaults. */
  readonly budgetMs?: number;
  /** False where a GET has an effect, so that a HEAD, of a link preview for example, must not have it. */
  readonly head?: false;
}

/** The groups of routes, as the OpenAPI document describes them. */
export const TAGS = {
  Authentication: 'Sign in, sign out, and who is signed in.',
  Service: 'Facts about this deployment, and this document.',
  Secrets: 'Live Secrets and the namespaces that they are in.',
  History: 'Archived versions of a Secret.',
  Consumers: 'Workloads whose pods use a Secret.',
} as const;

/** What every route of the API declares. The OpenAPI document is generated from it. */
interface ApiRouteBase extends RouteBase {
  /** The name of the operation in generated clients. */
  readonly operationId: string;
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  readonly description: string;
  readonly responses: ResponseSpecs;
  /** Errors of the handler. Those of the steps before it follow from `access` and `body`. */
  readonly errors?: readonly ErrorCode[];
  readonly query?: z.ZodObject;
  /** Request headers that change the response. */
  readonly requestHeaders?: z.ZodObject;
}

/** Nothing is required of the client. */
interface PublicRecord extends ApiRouteBase {
  /** The credentials that the handler reads, in the form of the OpenAPI document; `{}` where it answers without, too. */
  readonly security?: Partial<Record<'session' | 'bearer', []>>[];
  /** Logins are limited per client address. */
  readonly limit?: 'login';
  /** A request that the limit refuses still consumes the login that it belongs to. */
  readonly consumesLogin?: true;
  /** The fields of an HTML form, for the document. It is read before the request takes a seat; the handler checks it. */
  readonly form?: z.ZodObject;
}

/** A valid session. */
interface SessionRecord extends ApiRouteBase {
  /** The level that someone needs on what it shows of Secrets; `none` where it shows nothing of them. */
  readonly level: GivenLevel;
  /** Undefined where nothing is audited. */
  readonly action?: SecretAction;
}

/** What every route within a namespace declares. */
interface AuditedRecord<Input, Level extends AccessLevel = AccessLevel> extends ApiRouteBase {
  /** Of a list, on each Secret that it shows; of a write, in the namespace. */
  readonly level: Level;
  readonly action: SecretAction;
  readonly body?: RequestBody<Input>;
}

/** A valid session and a well-formed namespace. The use case checks access. */
interface NamespaceRecord<Input> extends AuditedRecord<Input> {
  /** Whether concurrent requests share the work, and it has its own bound, so that it needs no seat. */
  readonly sharesWork?: (query: URLSearchParams) => boolean;
}

/**
 * As `namespace`, and a live Secret on which the actor has the level: once the body has arrived, the Secret is read and
 * authorized, and only then the form of the body is checked.
 */
interface SecretRecord<Input, Level extends AccessLevel> extends AuditedRecord<Input, Level> {
  /** Whether the response to a request has no value: it is then audited as `secret.describe`. */
  readonly describes?: (request: Pick<RequestContext, 'request' | 'query'>) => boolean;
  /** Throws where this deployment does not offer the route. Called before the body is received. */
  readonly requireOffered?: (config: Services['config']) => void;
}

interface Handler<Context, Returned> {
  handle(context: Context): Returned | Promise<Returned>;
}

/** By `access`, which says which steps the runner takes before the handler. */
interface Kinds<Returned = RouteResponse, Input = unknown, Level extends AccessLevel = AccessLevel> {
  readonly public: PublicRecord & Handler<RequestContext, Returned>;
  readonly session: SessionRecord & Handler<SessionContext, Returned>;
  readonly namespace: NamespaceRecord<Input> & Handler<NamespaceContext<Input>, Returned>;
  readonly secret: SecretRecord<Input, Level> & Handler<SecretContext<Input, Level>, Returned>;
  /** As `secret`, for a Secret that was deleted and archived, by its former UID. */
  readonly deleted: AuditedRecord<Input, 'manage'> & Handler<DeletedContext<Input>, Returned>;
  /** A page or one of its files. Not part of the API. */
  readonly page: RouteBase & Handler<RequestContext, Returned>;
}

export type RouteOf<Access extends keyof Kinds> = {
  [Kind in Access]: Kinds[Kind] & { readonly access: Kind };
}[Access];
export type Route = RouteOf<keyof Kinds>;
export type ApiRoute = Exclude<Route, RouteOf<'page'>>;

/** Makes the records of one kind of route, whose handlers return what `responses` declares. */
const routes =
  <Kind extends keyof Kinds>(access: Kind) =>
  <
    const Specs extends ResponseSpecs,
    const Returned extends ResponseOf<Specs>,
    Input = never,
    const Level extends AccessLevel = never,
  >(
    route: Kinds<Returned, Input, Level>[Kind] & { readonly responses: Specs },
  ) => ({ ...route, access });

export const publicRoute = routes('public');
export const sessionRoute = routes('session');
export const namespaceRoute = routes('namespace');
export const secretRoute = routes('secret');
export const deletedRoute = routes('deleted');
