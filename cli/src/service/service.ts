import type { Operations as JsonOperations } from '../../../web/src/api/schema.ts';
import { type EXIT, Failure } from '../failure.ts';
import { ConnectionFailure, type HttpResponse, type Send } from './http.ts';
import type { TokenSource } from './tokens.ts';

/** With the routes whose answer is the bytes of a value. */
export interface Operations extends JsonOperations {
  readonly 'GET /api/namespaces/{namespace}/secrets/{name}/keys/{key}': { readonly answer: Buffer };
  readonly 'GET /api/namespaces/{namespace}/secrets/{name}/versions/{version}/keys/{key}': {
    readonly answer: Buffer;
  };
}

export type Operation = keyof Operations;

export interface SendOptions<Name extends Operation> {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Operations[Name] extends { readonly body: infer Body } ? Body : never;
  readonly signal?: AbortSignal | undefined;
}

/** The API of the service, as its document describes it. */
export interface Service {
  readonly server: string;
  /** @throws {Refusal} */
  send<Name extends Operation>(
    operation: Name,
    options?: SendOptions<Name>,
  ): Promise<Operations[Name]['answer']>;
}

/** What the service, or the way to it, objected to. The text is the service's own, and has no value. */
export class Refusal extends Failure {
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** Whether a write may have taken effect all the same. */
  readonly isUncertain: boolean;
  /** Whether a write has no effect later: the service has given it up. */
  readonly hasEnded: boolean;

  constructor(status: number, message: string, details: RefusalDetails = {}) {
    super(exitOf(status), message, details.hint);
    this.status = status;
    this.isUncertain = details.isUncertain ?? false;
    this.hasEnded = details.hasEnded ?? false;
  }
}

interface RefusalDetails {
  readonly hint?: string | undefined;
  readonly isUncertain?: boolean;
  readonly hasEnded?: boolean;
}

const EXITS: ReadonlyMap<number, keyof typeof EXIT> = new Map([
  [401, 'signedOut'],
  [403, 'forbidden'],
  [404, 'notFound'],
  [409, 'conflict'],
]);
const exitOf = (status: number) => EXITS.get(status) ?? 'error';

export function createService(server: string, send: Send, token: TokenSource): Service {
  return {
    server,
    async send(operation, { path = {}, query = {}, body, signal } = {}) {
      const [method = 'GET', pattern = ''] = operation.split(' ');
      const filled = pattern.replaceAll(/\{([a-z]+)\}/g, (_match, name: string) =>
        encodeURIComponent(path[name] ?? ''),
      );
      const url = new URL(filled, server);
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      const headers = {
        authorization: `Bearer ${await token()}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      };
      const response = await send({
        ...{ method, url: url.href, headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal === undefined ? {} : { signal }),
      }).catch((error: unknown) => unreachable(error, server));
      return contentOf(response, server) as Operations[typeof operation]['answer'];
    },
  };
}

function unreachable(error: unknown, server: string): never {
  if (!(error instanceof ConnectionFailure)) throw error;
  throw new Refusal(0, `${server}: ${error.message}`, { isUncertain: error.wasSent });
}

function contentOf({ status, headers, body }: HttpResponse, server: string): unknown {
  const isOk = status >= 200 && status < 300;
  if (isOk && headers['content-type'] === 'application/octet-stream') return body;
  const json = jsonOf(body);
  if (isOk && json !== undefined) return json;
  const text = typeof json?.['error'] === 'string' ? json['error'] : undefined;
  if (text === undefined) {
    const message = `${server} answered with status ${status}, but not as this service does`;
    throw new Refusal(status, message, { isUncertain: status < 400 || status >= 500 });
  }
  const id = headers['x-request-id'];
  const details = [waitHint(headers['retry-after']), typeof id === 'string' && `request ${id}`];
  const hint = details.filter((detail) => typeof detail === 'string').join('; ');
  const hasEnded = !text.includes('uncertain');
  throw new Refusal(status, text, { hint: hint || undefined, isUncertain: status >= 500, hasEnded });
}

const waitHint = (seconds: string | undefined) =>
  seconds !== undefined && /^\d{1,5}$/.test(seconds) && `try again in ${seconds} s`;

function jsonOf(body: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const content: unknown = JSON.parse(body.toString('utf8'));
    return typeof content === 'object' && content !== null ? { ...content } : undefined;
  } catch {
    return undefined;
  }
}
