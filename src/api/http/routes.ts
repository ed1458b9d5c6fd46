import type { SecretAction } from './audit.ts';
import type {
  Answer,
  NamespaceExchange,
  PublicExchange,
  SecretExchange,
  SignedInExchange,
} from './request-context.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

interface RouteBase {
  readonly method: Method;
  /** Express path pattern; also the `route` label of metrics and log lines. */
  readonly path: string;
  /** The work's time budget in milliseconds. */
  readonly budgetMs: number;
  /** False where a GET has an effect, so that a HEAD (a link preview, say) must not have it. */
  readonly head?: false;
}

/** Each kind of route names how far the runner goes before the handler is called. */
export type Route =
  /** Nothing is asked of the client. */
  | (RouteBase & {
      readonly access: 'public';
      /** Logins are limited per client address. */
      readonly limit?: 'login';
      handle(exchange: PublicExchange): Promise<Answer>;
    })
  /** A valid session. */
  | (RouteBase & { readonly access: 'session'; handle(exchange: SignedInExchange): Promise<Answer> })
  /** A valid session, and a well-formed namespace; what it takes to work there is up to the use case. */
  | (RouteBase & {
      readonly access: 'namespace';
      readonly action: SecretAction;
      readonly body?: 'json';
      /** Its work is shared by everyone who asks, and bounded by itself, so it waits for nobody else's work. */
      readonly sharesWork?: true;
      handle(exchange: NamespaceExchange): Promise<Answer>;
    })
  /**
   * As `namespace`, and a live Secret that the actor may work on: read first, then authorized, and only then the body.
   * A body that must be there names the revision, which shows what changed while it arrived. One that may be left out does
   * not: when it was still on its way, the Secret is read and authorized again.
   */
  | (RouteBase & {
      readonly access: 'secret';
      readonly action: SecretAction;
      readonly body?: 'json' | 'json, or none';
      /** Throws where this deployment does not offer the route: asked before the body and before the cluster. */
      readonly requireOffered?: () => void;
      handle(exchange: SecretExchange): Promise<Answer>;
    });
