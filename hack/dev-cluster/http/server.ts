import { createServer as createPlainServer, type Server } from 'node:http';
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from 'node:http2';
import { createServer as createHttp1Server } from 'node:https';
import { type AddressInfo, type Socket } from 'node:net';
import { ApiError } from '../api/status.ts';
import { errorResponse, type ApiResponse } from './api-response.ts';
import { DEV_PREFIX } from './dev-api.ts';
import { cut, isGone, type Incoming, type Outgoing } from './exchange.ts';
import { writeResponse } from './pipeline.ts';

export interface ServerParts {
  readonly api: (incoming: Incoming, response: Outgoing) => Promise<void>;
  readonly devApi: (url: URL, incoming: Incoming) => Promise<ApiResponse>;
  readonly log: (line: string) => void;
}

/** The server's own certificate and key as PEM, and how it speaks HTTP/2. */
export interface ServerTls {
  readonly cert: string;
  readonly key: string;
  /** Streams of one connection at the same time; 100 by default, as in a real cluster. */
  readonly maxConcurrentStreams?: number;
  /** Speaks HTTP/1.1 only. */
  readonly http1Only?: boolean;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** Without it, plain HTTP/1.1. */
  readonly tls: ServerTls | undefined;
}

export interface Listener {
  readonly url: string;
  /** The connections that are open. */
  connections(): number;
  /** Sends each connection with HTTP/2 away: its streams finish, and further ones are refused. */
  goAway(): void;
  /** Closes the connections that no request uses. */
  closeIdle(): void;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** Listens and answers; rejects when the port cannot be had. */
export async function listen(parts: ServerParts, options: ListenOptions): Promise<Listener> {
  const { host, port, tls } = options;
  const server = createFor(tls, (incoming, response) => {
    respond(parts, incoming, response).catch((error: unknown) => {
      fail(parts.log, response, error);
    });
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const sessions = sessionsOf(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address() as AddressInfo;
  const scheme = tls === undefined ? 'http' : 'https';
  return {
    url: `${scheme}://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    connections: () => sockets.size,
    goAway: () => {
      for (const session of sessions.keys()) session.close();
    },
    closeIdle: () => {
      (server as Server).closeIdleConnections();
      for (const [session, streams] of sessions) if (streams.size === 0) session.close();
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function createFor(
  tls: ServerTls | undefined,
  handle: (incoming: Incoming, response: Outgoing) => void,
): Server | Http2SecureServer {
  if (tls === undefined) {
    const server = createPlainServer(handle);
    // A server that closes idle connections races with the next request on them; the real one waits for minutes.
    server.keepAliveTimeout = 0;
    return server;
  }
  const { cert, key, maxConcurrentStreams = 100, http1Only = false } = tls;
  const settings = { maxConcurrentStreams };
  const server = http1Only
    ? createHttp1Server({ cert, key }, handle)
    : createSecureServer(
        { cert, key, allowHTTP1: true, settings },
        handle as unknown as Parameters<typeof createSecureServer>[1],
      );
  // As above; the type of the other names only what HTTP/2 has.
  (server as unknown as Server).keepAliveTimeout = 0;
  // A client that breaks off is what tests do; without a listener the process would end.
  server.on('sessionError', () => undefined);
  return server;
}

/** The connections with HTTP/2, and their streams. */
function sessionsOf(server: Server | Http2SecureServer): Map<ServerHttp2Session, Set<unknown>> {
  const sessions = new Map<ServerHttp2Session, Set<unknown>>();
  server.on('session', (session: ServerHttp2Session) => {
    const streams = new Set<unknown>();
    sessions.set(session, streams);
    session.on('stream', (stream) => {
      streams.add(stream);
      stream.once('close', () => streams.delete(stream));
      stream.on('error', () => undefined); // as above
    });
    session.once('close', () => sessions.delete(session));
  });
  return sessions;
}

async function respond(parts: ServerParts, incoming: Incoming, response: Outgoing): Promise<void> {
  const path = incoming.url ?? '/';
  if (!path.startsWith(DEV_PREFIX)) return parts.api(incoming, response);
  writeResponse(response, await parts.devApi(new URL(path, 'http://cluster.invalid'), incoming));
}

function fail(log: (line: string) => void, response: Outgoing, error: unknown): void {
  if (response.headersSent || isGone(response)) {
    cut(response);
    return;
  }
  if (error instanceof ApiError) {
    writeResponse(response, errorResponse(error));
    return;
  }
  log(
    `a request failed inside the development cluster: ${error instanceof Error ? (error.stack ?? '') : 'unknown'}`,
  );
  writeResponse(response, errorResponse(new ApiError(500, 'InternalError', 'Internal error occurred')));
}
