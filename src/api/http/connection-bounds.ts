import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createConnectionTable, type ConnectionFigures } from './connection-table.ts';

/** A browser's page sends its requests one after the other on a connection; few clients send the next one early. */
const MAX_UNANSWERED = 16;
/** How long a connection may be in each state, in milliseconds. */
export interface ConnectionTimes {
  /** From the connection, or from the first byte of a later request, to the end of its header. */
  readonly header: number;
  /** From there to the end of the request. It bounds what a slow sender can hold. */
  readonly request: number;
  /** Between two requests. */
  readonly idle: number;
  /** An answer lies there and the client takes no byte of it. */
  readonly stall: number;
  /** A request from the end of its header until its answer is out. */
  readonly exchange: number;
  /** How often connections are held to the first two. */
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

export type ConnectionBound = 'connections' | 'connection_requests' | 'answer_stalled';

export interface ConnectionBounds {
  /**
   * Has a request handled: at once, or in a turn of its own when the one before it on its connection is answered. Not at
   * all where its connection is closed, so that no one is left to answer.
   */
  accept(request: IncomingMessage, response: ServerResponse, handle: () => void): void;
  readonly figures: () => ConnectionFigures;
}

export interface ConnectionBoundsOptions {
  /** Connections at once. */
  readonly limit: number;
  readonly times: ConnectionTimes;
  /** Told about each connection that a bound closes. */
  readonly onRefused: (bound: ConnectionBound) => void;
}

/** Bounds what the connections of a server hold, in number and in time; some of the times are the server's own. */
export function boundConnections(
  server: Server,
  { limit, times, onRefused }: ConnectionBoundsOptions,
): ConnectionBounds {
  const table = createConnectionTable<Socket>(limit);
  /** Requests that were sent before the answer to the one before. */
  const ahead = new WeakMap<Socket, (() => void)[]>();
  const cut = (socket: Socket, bound: ConnectionBound): void => {
    onRefused(bound);
    socket.destroy();
  };
  server.on('connection', (socket: Socket) => {
    const replaced = table.open(socket);
    socket.once('close', () => {
      table.close(socket);
    });
    if (replaced !== undefined) cut(replaced, 'connections');
  });
  server.timeout = times.stall;
  server.on('timeout', (socket: Socket) => {
    if (!table.isBusy(socket)) socket.destroy();
    else if (socket.writableLength > 0) cut(socket, 'answer_stalled');
    // The cluster, or the rest of the request, is waited for; both have a time of their own.
    else socket.setTimeout(times.stall);
  });
  const start = (socket: Socket, response: ServerResponse, handle: () => void): void => {
    if (socket.destroyed) return;
    const limitReached = setTimeout(() => {
      cut(socket, 'answer_stalled');
    }, times.exchange).unref();
    response.once('close', () => {
      clearTimeout(limitReached);
      table.end(socket);
      const next = ahead.get(socket)?.shift();
      if (next !== undefined) setImmediate(next);
    });
    handle();
  };
  return {
    accept({ socket }, response, handle) {
      if (socket.destroyed) return;
      const unanswered = table.begin(socket);
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
