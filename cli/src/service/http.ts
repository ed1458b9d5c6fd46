import * as http from 'node:http';
import * as https from 'node:https';
import { variable, type Environment } from '../environment.ts';
import { usage } from '../failure.ts';

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends a request and receives its answer. @throws {ConnectionFailure} */
export type Send = (request: HttpRequest) => Promise<HttpResponse>;

/** No answer, or half of one. */
export class ConnectionFailure extends Error {
  override readonly name = 'ConnectionFailure';
  /** Whether the request may have arrived. */
  readonly wasSent: boolean;

  constructor(message: string, wasSent: boolean) {
    super(message);
    this.wasSent = wasSent;
  }
}

/**
 * The service ends a deletion after 55 seconds, every other write after 30. Before that the cluster may review a machine's
 * token, which takes ten at most.
 */
const LIMIT_MS = 75_000;
/** Over any answer of the service. */
const MAX_RESPONSE_BYTES = 64 * 1_048_576;

/** Through the proxy of the environment, but for plain http, which is of loopback alone; and never after a redirect. @throws {Failure} */
export function createSend(environment: Environment): Send {
  const proxyEnv = proxyOf(environment);
  return (request) => {
    const isSecure = request.url.startsWith('https:');
    // Named, it holds whatever NODE_TLS_REJECT_UNAUTHORIZED says.
    const agent = isSecure ? new https.Agent({ proxyEnv, rejectUnauthorized: true }) : new http.Agent();
    return sendOnce(request, (isSecure ? https : http).request, agent);
  };
}

/** Node ignores an address that does not begin with http:// or https://, and sends without a proxy. */
function proxyOf(environment: Environment): NodeJS.ProcessEnv {
  const name = ['https_proxy', 'HTTPS_PROXY'].find((one) => variable(environment, one) !== undefined);
  if (name === undefined) return {};
  const given = environment[name] ?? '';
  const url = URL.parse(given.includes('://') ? given : `http://${given}`);
  if (url !== null && /^https?:$/.test(url.protocol)) return { ...environment, https_proxy: url.href };
  throw usage(`${name} is not the address of an HTTP proxy`, 'It looks like http://proxy.example.com:3128.');
}

async function sendOnce(
  { method, url, headers, body, signal }: HttpRequest,
  start: typeof http.request,
  agent: http.Agent,
): Promise<HttpResponse> {
  const limit = AbortSignal.timeout(LIMIT_MS);
  const signals = signal === undefined ? [limit] : [limit, signal];
  let wasSent = false;
  try {
    return await new Promise<HttpResponse>((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const request = start(url, {
        method,
        agent,
        signal: AbortSignal.any(signals),
        headers: { ...headers, ...length },
      });
      request.once('error', reject);
      request.once('finish', () => (wasSent = request.socket?.connecting === false));
      request.once('response', (response) => {
        received(response).then((content) => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: content });
        }, reject);
      });
      request.end(body);
    });
  } catch (error) {
    throw new ConnectionFailure(reasonOf(error, limit.aborted), wasSent);
  }
}

async function received(response: http.IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    bytes += piece.byteLength;
    if (bytes > MAX_RESPONSE_BYTES) throw new Error('too large');
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was lost',
  ENOTFOUND: 'the host is unknown',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'there was no answer in time',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate authority is unknown; name it in NODE_EXTRA_CA_CERTS',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed; name it in NODE_EXTRA_CA_CERTS',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate authority is unknown; name it in NODE_EXTRA_CA_CERTS',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate authority is unknown; name it in NODE_EXTRA_CA_CERTS',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

/** The words of foreign errors may quote what was sent. */
function reasonOf(error: unknown, isLate: boolean): string {
  if (isLate) return 'there was no answer in time';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? 'the connection failed';
}
