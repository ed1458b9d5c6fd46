import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Actor } from '../../access/actor.ts';
import type { Call } from '../../timing/deadline.ts';
import type { AuthorizedSecret } from '../../secrets/authorize.ts';
import type { AuditRecord } from './audit.ts';
import type { RequestOrigin } from './requests.ts';

/** What a handler answers. */
export type Answer =
  | {
      readonly status: number;
      readonly json: unknown;
      readonly setCookies?: readonly string[];
      readonly headers?: AnswerHeaders;
    }
  | { readonly redirectTo: string; readonly setCookies: readonly string[]; readonly headers?: AnswerHeaders }
  | { readonly status: number; readonly type: 'html' | 'css'; readonly text: string }
  | { readonly status: number; readonly bytes: Buffer; readonly headers: AnswerHeaders };

export type AnswerHeaders = Readonly<Record<string, string>>;

/** A request as a handler of a public route sees it. */
export interface PublicExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Path and query as requested. */
  readonly url: string;
  /** Scheme and host as the request came in, as far as the proxy is trusted. */
  readonly requestBase: string;
  readonly origin: RequestOrigin;
  readonly query: URLSearchParams;
  readonly call: Call;
}

/** … once a valid session is established. */
export interface SignedInExchange extends PublicExchange {
  readonly actor: Actor;
}

/** … within a namespace whose name is well-formed. */
export interface NamespaceExchange extends SignedInExchange {
  readonly namespace: string;
  /** The parsed JSON body of a write; undefined on routes without one. */
  readonly body: unknown;
  /** What the audit line will say; handlers add what they learn. */
  readonly audit: AuditRecord;
}

/** … on a live Secret that the actor may work on. */
export interface SecretExchange extends NamespaceExchange {
  readonly secret: AuthorizedSecret;
  /** The `:version` segment, on the routes that have one. */
  readonly version: string | undefined;
}
