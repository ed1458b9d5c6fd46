import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '../observability/logger.ts';
import { boundConnections, CONNECTION_TIMES, type ConnectionLimits } from './connection-bounds.ts';
import { createTlsServer, isHttp2 } from './http2.ts';
import { answerProtocolErrors, lingerOverUnread, refuseHead } from './protocol-errors.ts';
import type { CertificateSource } from './server-certificate.ts';

/** How often idle connections are closed while the server waits for the last responses. */
const DRAIN_TICK_MS = 50;
/**
 * How long the server waits for them. A stuck request must not delay the components that stop later, above all the
 * Lease.
 */
const DRAIN_LIMIT_MS = 17_000;

/** The port cannot be opened. The message is for the operator. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

export interface ListenOptions extends ConnectionLimits {
  readonly host: string;
  readonly port: number;
  /** Serves HTTPS with this certificate instead of HTTP. */
  readonly certificate?: Pick<CertificateSource, 'follow'> | undefined;
  readonly logger: Logger;
}

/** @throws {ListenError} when the port is in use or not allowed */
export async function listen(app: RequestListener, options: ListenOptions) {
  const { host, port, times = CONNECTION_TIMES, certificate, logger } = options;
  let draining = false;
  const serve: RequestListener = (request, response) => {
    bounds.accept(request, response, () => {
      if (draining) response.setHeader('Connection', 'close');
      if (!isHttp2(request)) lingerOverUnread(request, response);
      if (!refuseHead(request, response, logger)) app(request, response);
    });
  };
  const serverOptions: ServerOptions = {
    requestTimeout: times.request,
    headersTimeout: times.header,
    keepAliveTimeout: times.idle,
    connectionsCheckingInterval: times.check,
    // The app refuses such requests itself, in the form of all other errors.
    requireHostHeader: false,
  };
  const server =
    certificate === undefined
      ? createServer(serverOptions, serve)
      : createTlsServer(certificate, { ...serverOptions, handshakeTimeout: times.header }, serve);
  const bounds = boundConnections(server, options);
  // Lets a client that closed its sending side after the request receive its response; the connection then closes. Node
  // would close it immediately. Such a connection is limited by the time budget of the work, like every response. The
  // property is Node's own, but missing from its documentation and types; a contract test fails if it goes away.
  Object.assign(server, { httpAllowHalfOpen: true });
  answerProtocolErrors(server, logger);
  // Node would answer 417; an expectation that is not understood may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', serve);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new ListenError(listenProblem(error.code, port)));
    });
    server.listen(port, host, resolve);
  });
  const drain = (): void => {
    draining = true;
    bounds.closeSessions();
  };
  return {
    /** The port that it listens on; with port 0 the one that was chosen. */
    port: (server.address() as AddressInfo).port,
    connections: bounds.figures,
    /** From now on each response closes its connection, so that clients have left when the port closes. */
    drain,
    /**
     * Accepts no new connections, waits for responses in progress, and closes idle connections meanwhile, those that were
     * never used after a second. After 17 seconds the remaining connections are cut.
     */
    stop: (): Promise<void> => {
      drain();
      return closed(server, bounds, logger);
    },
  };
}

export type Listener = Awaited<ReturnType<typeof listen>>;

type Bounds = ReturnType<typeof boundConnections>;

function closed(server: Server, bounds: Bounds, logger: Logger): Promise<void> {
  return new Promise((resolve) => {
    const closeIdle = () => {
      server.closeIdleConnections();
      bounds.closeUnused();
      bounds.closeSessions();
    };
    const idle = setInterval(closeIdle, DRAIN_TICK_MS);
    const limit = setTimeout(() => {
      logger.warn('requests that took too long were cut', { durationMs: DRAIN_LIMIT_MS });
      bounds.cutAll();
    }, DRAIN_LIMIT_MS);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(limit);
      resolve();
    });
    closeIdle();
  });
}

function listenProblem(code: string | undefined, port: number): string {
  if (code === 'EADDRINUSE') return `Port ${port} is in use`;
  if (code === 'EACCES') return `Port ${port} may not be used by this user`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `HOST is no address of this machine (${code})`;
  return `Port ${port} cannot be listened on (${code ?? 'unknown reason'})`;
}
