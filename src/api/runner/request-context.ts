import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Actor } from '../../access/actor.ts';
import type { NamespaceInScope } from '../../access/namespace-scope.ts';
import type { AccessLevel } from '../../contract/access-rules.ts';
import type { Deadline } from '../../timing/deadline.ts';
import type { AuthorizedSecret, UpTo, AuthorizedDeleted } from '../../secrets/authorize.ts';
import type { AuditRecord } from './audit.ts';
import type { RequestOrigin } from './requests.ts';

/** A request, as the handler of a public route receives it. */
export interface RequestContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Path and query as requested. */
  readonly url: string;
  /** Scheme and host as the request came in, if the proxy is trusted. */
  readonly requestBase: string;
  readonly origin: RequestOrigin;
  readonly query: URLSearchParams;
  readonly deadline: Deadline;
}

/** … once a valid session is established. */
export interface SessionContext extends RequestContext {
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
export interface SecretContext<
  Input = unknown,
  Level extends AccessLevel = AccessLevel,
> extends NamespaceContext<Input> {
  readonly secret: AuthorizedSecret<UpTo<Level>>;
  /** The `:version` segment, on the routes that have one. */
  readonly version: string | undefined;
  /** The `:key` segment, a valid name, on the routes that have one. */
  readonly key: string | undefined;
}

/** … on a deleted Secret that the actor may manage. */
export interface DeletedContext<Input = unknown> extends NamespaceContext<Input> {
  readonly deleted: AuthorizedDeleted;
}
