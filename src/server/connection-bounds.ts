import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { ipKeyGenerator } from 'express-rate-limit';
import { createConnectionTable, type ConnectionFigures } from './connection-table.ts';

/** A browser sends its requests one after the other on an HTTP/1.1 connection. Few clients send the next one early. */
const MAX_UNANSWERED = 16;
/** How long a connection may be in each state, in milliseconds. */
export interface ConnectionTimes {
  /** From the connection, or from the first byte of a later request, to the end of its header. */
  readonly header: number;
  /** From there to the end of the request. It bounds what a slow sender can hold. */
  readonly request: number;
  /** Between two requests. */
  readonly idle: number;
  /** A response is waiting and the client reads no byte of it. */
  readonly stall: number;
  /** A request, from the end of its header until its response is sent. */
  readonly exchange: number;
  /** How often the first two limits are checked. */
  readonly check: number;
}

export const CONNECTION_TIMES: ConnectionTimes = {
  header: 15_000,
  request: 60_000,
  // Longer than the idle timeout of the usual proxies (60 s), so that they, not we, close idle connections.
  idle: 75_000,
  stall: 20_000,
  // Sending it (60 s), handling it (55 s), and time to read the answer.
  exchange: 180_000,
  check: 2_000,
};

export type ConnectionBound =
  'connections' | 'connections_address' | 'connection_requests' | 'answer_stalled';

export interface ConnectionBounds {
  /**
   * Handles a request immediately, or once the previous request of its connection is answered. A request whose
   * connection is closed is not handled.
   */
  accept(request: IncomingMessage, response: ServerResponse, handle: () => void): void;
  readonly figures: () => ConnectionFigures;
}

export interface ConnectionBoundsOptions {
  /** Connections at once. */
  readonly limit: number;
  /** Of them, by one address; one behind a proxy is the proxy's. */
  readonly perAddress: number;
  readonly times: ConnectionTimes;
  /** Called for each connection that a bound closes. */
  readonly onRefused: (bound: ConnectionBound) => void;
}

/**
 * Limits the number of connections of a server and how long each may stay in a state. Some of the times are options of
 * the server itself.
 */
export function boundConnections(
  server: Server,
  { limit, perAddress, times, onRefused }: ConnectionBoundsOptions,
): ConnectionBounds {
  const table = createConnectionTable<Socket>(limit);
  const admits = countAddresses(perAddress);
  const transportOf = followTransports(server);
  /** Requests that were sent before the previous one was answered. */
  const ahead = new WeakMap<Socket, (() => void)[]>();
  const cut = (socket: Socket, bound: ConnectionBound): void => {
    onRefused(bound);
    socket.destroy();
  };
  server.on('connection', (socket: Socket) => {
    if (!admits(socket)) {
      cut(socket, 'connections_address');
      return;
    }
    const replaced = table.open(socket);
    socket.once('close', () => {
      table.close(socket);
    });
    if (replaced !== undefined) cut(replaced, 'connections');
  });
  server.timeout = times.stall;
  server.on('timeout', (socket: Socket) => {
    if (!table.isBusy(transportOf(socket))) socket.destroy();
    else if (socket.writableLength > 0) cut(socket, 'answer_stalled');
    // The server waits for the cluster, or for the rest of the request. Both have their own limits.
    else socket.setTimeout(times.stall);
  });
  const start = (socket: Socket, response: ServerResponse, handle: () => void): void => {
    if (socket.destroyed) return;
    const limitReached = setTimeout(() => {
      cut(socket, 'answer_stalled');
    }, times.exchange).unref();
    response.once('close', () => {
      clearTimeout(limitReached);
      table.end(transportOf(socket));
      const next = ahead.get(socket)?.shift();
      if (next !== undefined) setImmediate(next);
    });
    handle();
  };
  return {
    accept({ socket }, response, handle) {
      if (socket.destroyed) return;
      const unanswered = table.begin(transportOf(socket));
      const begin = (): void => {
        start(socket, response, handle);
      };
      if (unanswered > MAX_UNANSWERED) cut(socket, 'connection_requests');
      else if (unanswered === 1) begin();
      else if (unanswered === 2) ahead.set(socket, [begin]);
      else ahead.get(socket)?.push(begin);
    },
    figures: table.figures,
  };
}

/** Counts a connection under its address until it closes, unless the address has as many as it may have. */
function countAddresses(limit: number): (socket: Socket) => boolean {
  const counts = new Map<string, number>();
  return (socket) => {
    // An IPv4 address on a port of both families; by network for IPv6, since each client has many addresses.
    const key = ipKeyGenerator((socket.remoteAddress ?? '').replace(/^::ffff:/, ''));
    const count = counts.get(key) ?? 0;
    if (count >= limit) return false;
    counts.set(key, count + 1);
    socket.once('close', () => {
      const others = (counts.get(key) ?? 0) - 1;
      if (others > 0) counts.set(key, others);
      else counts.delete(key);
    });
    return true;
  };
}

/**
 * Returns the TCP connection below the socket of a request. They are the same without TLS. With TLS, a connection counts
 * from its first byte, before there is a TLS socket, and the two are matched by their addresses: Node has no other
 * public link between them. A TLS socket without addresses has lost its connection already.
 */
function followTransports(server: Server): (socket: Socket) => Socket {
  const shakingHands = new Map<string, Socket>();
  const transports = new WeakMap<Socket, Socket>();
  if (!isTls(server)) return (socket) => socket;
  server.on('connection', (socket: Socket) => {
    const addresses = addressesOf(socket);
    shakingHands.set(addresses, socket);
    socket.once('close', () => {
      if (shakingHands.get(addresses) === socket) shakingHands.delete(addresses);
    });
  });
  server.on('secureConnection', (secured: TLSSocket) => {
    const transport = shakingHands.get(addressesOf(secured));
    if (transport === undefined) secured.destroy();
    else transports.set(secured, transport);
  });
  return (socket) => transports.get(socket) ?? socket;
}

function isTls(server: Server): boolean {
  return 'setSecureContext' in server;
}

function addressesOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
