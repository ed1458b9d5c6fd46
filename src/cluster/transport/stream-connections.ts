import type { Dispatcher } from 'undici';
import type { Clock } from '../../timing/clock.ts';
import type { Credentials, TlsMaterial } from '../credentials/credentials.ts';
import { openDispatcher } from './connections.ts';
import { createSecureConnector } from './http2/secure-connector.ts';
import { createSessionPool } from './http2/session-pool.ts';
import { createRotation, type Closable } from './rotation.ts';
import type { StreamRequest, StreamResponse } from './stream-request.ts';

/** The connections of streams. */
export interface StreamConnections {
  /** Rejects when the request fails before its response begins. */
  open(tls: TlsMaterial, request: StreamRequest): Promise<StreamResponse>;
  /** Cuts all connections. */
  close(): Promise<void>;
}

export interface StreamConnectionOptions {
  readonly connectTimeoutMs: number;
  readonly clock: Clock;
}

/** A server behind the same address may be replaced by one that speaks HTTP/2. */
const TRY_HTTP2_AGAIN_MS = 600_000;

/**
 * With HTTP/2, where the server speaks it, streams share connections. With HTTP/1.1 each has one of its own. Connections
 * are opened on demand.
 */
export function createStreamConnections(
  { proxyUrl }: Pick<Credentials, 'proxyUrl'>,
  options: StreamConnectionOptions,
): StreamConnections {
  const rotation = createRotation((tls) => openBoth(tls, proxyUrl, options));
  return {
    open: (tls, request) => rotation.connectionsFor(tls).open(request),
    close: () => rotation.close(),
  };
}

interface BothProtocols extends Closable {
  open(request: StreamRequest): Promise<StreamResponse>;
}

function openBoth(
  tls: TlsMaterial,
  proxyUrl: string | undefined,
  { connectTimeoutMs, clock }: StreamConnectionOptions,
): BothProtocols {
  const connect = createSecureConnector({ tls, proxyUrl, timeoutMs: connectTimeoutMs });
  const sessions = createSessionPool({ connect, timeoutMs: connectTimeoutMs, clock });
  const dispatcher = openDispatcher(tls, proxyUrl, { connections: null, connectTimeoutMs });
  let tryHttp2At = -Infinity;
  return {
    open: async (request) => {
      if (request.origin.startsWith('https:') && clock.now() >= tryHttp2At) {
        const response = await sessions.open(request);
        if (response !== 'http1Only') return response;
        tryHttp2At = clock.now() + TRY_HTTP2_AGAIN_MS;
      }
      return openWithHttp1(dispatcher, request);
    },
    close: async () => {
      await Promise.all([sessions.close(), dispatcher.close()]);
    },
    destroy: async () => {
      await Promise.all([sessions.destroy(), dispatcher.destroy()]);
    },
  };
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
