import { isDeepStrictEqual } from 'node:util';
import type { TlsMaterial } from '../credentials/credentials.ts';

/** What is connected with one TLS material. */
export interface Closable {
  /** Lets what is in progress finish, and closes then. */
  close(): Promise<void>;
  /** Cuts everything. */
  destroy(): Promise<void>;
}

/** Connections that follow the TLS material, which rotates. */
export interface Rotation<Kind extends Closable> {
  /** The connections for this TLS material. New ones only if the material has changed. */
  connectionsFor(tls: TlsMaterial): Kind;
  /** Cuts all connections, those for former material too. */
  close(): Promise<void>;
}

/** @param open makes the connections; they connect on demand */
export function createRotation<Kind extends Closable>(open: (tls: TlsMaterial) => Kind): Rotation<Kind> {
  let current: { readonly tls: TlsMaterial; readonly connections: Kind } | undefined;
  const all = new Set<Kind>();

  /** Requests on the former connections may finish; the connections close after them. */
  const retire = (connections: Kind): void => {
    void connections.close().then(() => all.delete(connections));
  };
  return {
    connectionsFor: (tls) => {
      if (current !== undefined && isDeepStrictEqual(current.tls, tls)) return current.connections;
      if (current !== undefined) retire(current.connections);
      const connections = open(tls);
      all.add(connections);
      current = { tls, connections };
      return connections;
    },
    close: async () => {
      await Promise.all([...all].map((connections) => connections.destroy()));
      all.clear();
    },
  };
}
