import { isDeepStrictEqual } from 'node:util';
import { Agent, fetch, ProxyAgent, type Dispatcher, type RequestInit as UndiciRequest } from 'undici';
import type { Clock } from '../../timing/clock.ts';
import type { Credentials, TlsMaterial } from '../credentials/credentials.ts';
import { createSecureConnector } from './http2/secure-connector.ts';
import { SessionPool } from './http2/session-pool.ts';
import type { StreamRequest, StreamResponse } from './http2/session.ts';
import type { ServerBase } from './request.ts';

/** What a request or a stream is sent by. */
export interface Transport {
  readonly server: ServerBase;
  readonly credentials: Credentials;
  readonly connections: ReturnType<typeof createConnections>;
  /** The limit of one attempt: credentials, queue, connect, response; of a stream, until the head of the response. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** Takes the Date header of each response of the cluster. */
  readonly noteDate: (date: string | undefined) => void;
}

export interface ConnectionOptions {
  /** The number of connections for requests; further requests wait for one. */
  readonly maxConnections: number;
  readonly connectTimeoutMs: number;
  readonly clock: Clock;
}

/** Pages of reflectors and checks arrive one after the other anyway. */
const BACKGROUND_CONNECTIONS = 4;
/** A server behind the same address may be replaced by one that speaks HTTP/2. */
const TRY_HTTP2_AGAIN_MS = 600_000;

/** Connections that follow the TLS material, which rotates. */
export function createConnections({ proxyUrl }: Pick<Credentials, 'proxyUrl'>, options: ConnectionOptions) {
  let current: { readonly tls: TlsMaterial; readonly connections: Connections } | undefined;
  const all = new Set<Connections>();
  /** Requests on the former connections may finish; the connections close after them. */
  const retire = (former: Connections): void => {
    void Promise.all(former.pools.map((pool) => pool.close())).then(() => all.delete(former));
  };
  return {
    /** Those for this TLS material. New ones only if the material has changed. */
    for: (tls: TlsMaterial): Connections => {
      if (current !== undefined && isDeepStrictEqual(current.tls, tls)) return current.connections;
      if (current !== undefined) retire(current.connections);
      const connections = open(tls, proxyUrl, options);
      all.add(connections);
      current = { tls, connections };
      return connections;
    },
    /** Cuts all connections, those for former material too. */
    close: async (): Promise<void> => {
      await Promise.all([...all].flatMap(({ pools }) => pools.map((pool) => pool.destroy())));
      all.clear();
    },
  };
}

type Connections = ReturnType<typeof open>;

/** The connections to the cluster, kept open and shared. They are opened on demand. */
function open(
  tls: TlsMaterial,
  proxyUrl: string | undefined,
  { maxConnections, connectTimeoutMs: timeoutMs, clock }: ConnectionOptions,
) {
  const http1 = (connections: number | null): Dispatcher => {
    // One request per connection: a limit of connections is then a limit of requests, and a broken connection fails one
    // request.
    const common = { connections, allowH2: false, connectTimeout: timeoutMs };
    if (proxyUrl === undefined) return new Agent({ ...common, connect: { ...tls, timeout: timeoutMs } });
    return new ProxyAgent({ ...common, uri: proxyUrl, requestTls: { ...tls, timeout: timeoutMs } });
  };
  const connect = createSecureConnector({ tls, proxyUrl, timeoutMs });
  const sessions = new SessionPool({ connect, timeoutMs, clock });
  const [requests, background, streams] = [http1(maxConnections), http1(BACKGROUND_CONNECTIONS), http1(null)];
  let tryHttp2At = -Infinity;
  return {
    requests,
    /** Of reflectors, so that no one waits behind them. */
    background,
    /**
     * Streams stay open for minutes, so they have connections of their own: with HTTP/2, where the server speaks it, many
     * share one; with HTTP/1.1 each has one. Rejects when the request fails before its response begins.
     */
    openStream: async (request: StreamRequest): Promise<StreamResponse> => {
      if (request.origin.startsWith('https:') && clock.now() >= tryHttp2At) {
        const response = await sessions.open(request);
        if (response !== 'http1Only') return response;
        tryHttp2At = clock.now() + TRY_HTTP2_AGAIN_MS;
      }
      return openWithHttp1(streams, request);
    },
    /** `close` lets what is in progress finish, `destroy` cuts it. */
    pools: [requests, background, streams, sessions],
  };
}

/** Like the runtime's own `fetch`, but where certificates in PEM are given, trusts only servers whose certificates one of these has signed. */
export function fetchTrusting(ca: string | undefined): typeof globalThis.fetch {
  if (ca === undefined) return globalThis.fetch;
  const dispatcher = new Agent({ connect: { ca } });
  const trusting = (address: string, init: UndiciRequest) => fetch(address, { ...init, dispatcher });
  // The runtime has types of its own, which undici's are like.
  return trusting as unknown as typeof globalThis.fetch;
}

async function openWithHttp1(
  dispatcher: Dispatcher,
  { origin, path, headers, signal }: StreamRequest,
): Promise<StreamResponse> {
  const timeouts = { headersTimeout: 0, bodyTimeout: 0 };
  const request = { origin, path, method: 'GET', headers: { ...headers }, signal, ...timeouts } as const;
  const response = await dispatcher.request(request);
  const retryAfter = response.headers['retry-after'];
  return {
    status: response.statusCode,
    retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
    body: response.body as AsyncIterable<Buffer>,
  };
}
