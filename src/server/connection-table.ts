/** The connections of a port, by their state. */
export interface ConnectionFigures {
  /** No part of a request has arrived. */
  readonly unused: number;
  /** Between two requests. */
  readonly idle: number;
  /** A request is handled, or its response is being sent. */
  readonly busy: number;
}

/**
 * Bounds the connections of a port. At the limit a new connection replaces the oldest one that was never used, else the
 * one that has been idle for longest. So unused connections do not keep clients out.
 */
export interface ConnectionTable<Connection> {
  /** Adds a connection. Returns the one to close for it, which is the new one itself if all others are busy. */
  open(connection: Connection): Connection | undefined;
  /** A request has arrived. Returns how many of this connection are not answered yet. */
  begin(connection: Connection): number;
  /** A response was sent, or never will be. */
  end(connection: Connection): void;
  close(connection: Connection): void;
  isBusy(connection: Connection): boolean;
  readonly figures: () => ConnectionFigures;
}

export function createConnectionTable<Connection>(limit: number): ConnectionTable<Connection> {
  // Sets keep their order: the first is the oldest.
  const unused = new Set<Connection>();
  const idle = new Set<Connection>();
  /** With the number of their requests. */
  const busy = new Map<Connection, number>();
  const remove = (connection: Connection): boolean =>
    [unused.delete(connection), idle.delete(connection), busy.delete(connection)].includes(true);
  return {
    open(connection) {
      if (unused.size + idle.size + busy.size < limit) {
        unused.add(connection);
        return undefined;
      }
      const oldest = unused.values().next().value ?? idle.values().next().value;
      if (oldest === undefined) return connection;
      remove(oldest);
      unused.add(connection);
      return oldest;
    },
    begin(connection) {
      const requests = (busy.get(connection) ?? 0) + 1;
      unused.delete(connection);
      idle.delete(connection);
      busy.set(connection, requests);
      return requests;
    },
    end(connection) {
      const requests = busy.get(connection);
      if (requests === undefined) return;
      if (requests > 1) busy.set(connection, requests - 1);
      else {
        busy.delete(connection);
        idle.add(connection);
      }
    },
    close(connection) {
      remove(connection);
    },
    isBusy: (connection) => busy.has(connection),
    figures: () => ({ unused: unused.size, idle: idle.size, busy: busy.size }),
  };
}
