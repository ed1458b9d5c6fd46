import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';
import type { Bound } from '../observability/metric-table.ts';
import { boundSessions, isHttp2 } from './http2.ts';
import { addressKey } from './limits.ts';

/** A browser sends its requests one after the other on an HTTP/1.1 connection. Few clients send the next one early. */
const MAX_UNANSWERED = 16;
/** How long a server that stops waits for the first request of a connection: it may be on its way. */
const FIRST_REQUEST_MS = 1_000;
/** How long a connection may be in each state, in milliseconds. */
export type ConnectionTimes = Readonly<Record<keyof typeof CONNECTION_TIMES, number>>;

export const CONNECTION_TIMES = {
  /** From the connection, or from the first byte of a later request, to the end of its header. */
  header: 15_000,
  /** From there to the end of the request. It bounds what a slow sender can hold. */
  request: 60_000,
  /**
   * Between two requests. Longer than the idle timeout of nginx and of common load balancers (60 s), so that they, not we,
   * close them. Those of Traefik (90 s) and Envoy (1 h) are longer.
   */
  idle: 75_000,
  /** A response is waiting and the client reads no byte of it. */
  stall: 20_000,
  /**
   * A request, from the end of its header until its response is sent: sending it (60 s), handling it (55 s), and time to
   * read the answer.
   */
  exchange: 180_000,
  /** How often the first two limits are checked. */
  check: 2_000,
};

export interface ConnectionLimits {
  /** Connections at once. At the limit a new one is closed. */
  readonly maxConnections: number;
  /** Of them, by one address, that of a proxy for all behind it; without, it has no bound of its own. */
  readonly maxPerAddress?: number;
  readonly times?: ConnectionTimes;
  /** Called for each connection that a bound closes. */
  readonly onRefused: (bound: Bound) => void;
}

type Cut = (socket: Socket, bound: Bound) => void;

/**
 * Limits the number of connections of a server and how long each may stay in a state. Most of the times, and the limit
 * of all connections, are Node's own.
 */
export function boundConnections(
  server: Server,
  { maxConnections, maxPerAddress = Infinity, times = CONNECTION_TIMES, onRefused }: ConnectionLimits,
) {
  const cut: Cut = (socket, bound) => {
    onRefused(bound);
    socket.destroy();
  };
  server.maxConnections = maxConnections;
  server.on('drop', () => {
    onRefused('connections');
  });
  const counter = () => countAddresses(maxConnections, maxPerAddress, onRefused);
  const count = counter();
  // From their first byte: before there is a TLS socket.
  const sockets = openSockets(server, 'connection', ({ remoteAddress }) => count(remoteAddress));
  const secured = openSockets(server, 'secureConnection', () => () => undefined);
  const requests = inOrder(times.exchange, cut);
  // As many as there could be over HTTP/1.1, which has one of each connection under way.
  const sessions = boundSessions(server, { times, cut, take: counter() });
  const busy = (): number => requests.busy() + sessions.busy();
  const closeIdle = server.closeIdleConnections.bind(server);
  // Node takes a connection for idle whose response is still being sent.
  server.closeIdleConnections = () => {
    if (requests.busy() === 0) closeIdle();
  };
  server.timeout = times.stall;
  server.on('timeout', (socket: Socket) => {
    if (!requests.isBusy(socket)) socket.destroy();
    else if (socket.writableLength > 0) cut(socket, 'answer_stalled');
    // The server waits for the cluster, or for the rest of the request. Both have their own limits.
    else socket.setTimeout(times.stall);
  });
  return {
    /**
     * Handles a request immediately, or with HTTP/1.1 once the previous request of its connection is answered. A request
     * whose connection is closed is not handled.
     */
    accept(request: IncomingMessage, response: ServerResponse, handle: () => void): void {
      if (isHttp2(request)) sessions.accept(request, response as unknown as Http2ServerResponse, handle);
      else requests.accept(request, response, handle);
    },
    /** Idle before the first request and between two, else busy. A lost connection may still have its last response. */
    figures: () => ({ idle: Math.max(0, sockets.size - busy()), busy: busy() }),
    closeSessions: sessions.close,
    /** Those without a request under way have a timeout now: the handler above ends them. */
    closeUnused(): void {
      for (const socket of [...sockets, ...secured]) {
        if (requests.isBusy(socket) || socket.timeout === FIRST_REQUEST_MS) continue;
        socket.setTimeout(FIRST_REQUEST_MS, () => {
          // Without a TLS handshake, no handler but this one sees it.
          if (socket.bytesRead === 0) socket.destroy();
        });
      }
    },
    cutAll(): void {
      for (const socket of sockets) socket.destroy();
    },
  };
}

type Count = (address: string | undefined) => (() => void) | undefined;

/**
 * Counts what there is at once, in all and by address.
 * @returns what counts one more and returns what ends it, or undefined when there are too many
 */
function countAddresses(limit: number, perAddress: number, onRefused: (bound: Bound) => void): Count {
  const counts = new Map<string, number>();
  let all = 0;
  return (address = '') => {
    // An IPv4 address on a port of both families; by network for IPv6, since each client has many addresses.
    const key = addressKey(address.replace(/^::ffff:/, ''));
    const count = counts.get(key) ?? 0;
    if (count >= perAddress || all >= limit) {
      onRefused(count >= perAddress ? 'connections_address' : 'connections');
      return undefined;
    }
    counts.set(key, count + 1);
    all++;
    return () => {
      all--;
      const others = (counts.get(key) ?? 0) - 1;
      if (others > 0) counts.set(key, others);
      else counts.delete(key);
    };
  };
}

/**
 * Those that are open, of the sockets of an event.
 * @param take returns what is called when the socket closes, or undefined for one that is to be closed at once
 */
function openSockets(
  server: Server,
  event: 'connection' | 'secureConnection',
  take: (socket: Socket) => (() => void) | undefined,
): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  server.on(event, (socket: Socket) => {
    const release = take(socket);
    if (release === undefined) {
      socket.destroy();
      return;
    }
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      release();
    });
  });
  return open;
}

/**
 * Handles the requests of a connection one after the other. Node would hand all of them over at once, and would never
 * close the responses of those that are behind another when the connection is lost.
 */
function inOrder(exchangeMs: number, cut: Cut) {
  /** By connection with a request that is not answered: what begins those after it. */
  const waiting = new Map<Socket, (() => void)[]>();
  return {
    accept: ({ socket }: IncomingMessage, response: ServerResponse, handle: () => void): void => {
      if (socket.destroyed) return;
      const begin = (): void => {
        if (socket.destroyed) {
          waiting.delete(socket);
          return;
        }
        const limitReached = setTimeout(cut, exchangeMs, socket, 'answer_stalled').unref();
        response.once('close', () => {
          clearTimeout(limitReached);
          const next = waiting.get(socket)?.shift();
          if (next === undefined) waiting.delete(socket);
          else setImmediate(next);
        });
        handle();
      };
      const behind = waiting.get(socket);
      if (behind === undefined) {
        waiting.set(socket, []);
        begin();
      } else if (behind.length + 1 >= MAX_UNANSWERED) cut(socket, 'connection_requests');
      else behind.push(begin);
    },
    isBusy: (socket: Socket): boolean => waiting.has(socket),
    busy: (): number => waiting.size,
  };
}
