import { isDeepStrictEqual } from 'node:util';
import { Agent, ProxyAgent, type Dispatcher } from 'undici';
import type { Credentials, TlsMaterial } from '../credentials/credentials.ts';

/** The connections to the cluster, kept open and shared. */
export interface Connections {
  /** The dispatcher for this TLS material. A new one only if the material has changed. */
  dispatcherFor(tls: TlsMaterial): Dispatcher;
  /** Cuts all connections. */
  close(): Promise<void>;
}

export interface ConnectionOptions {
  /** The number of connections; further requests wait for one. `null` for no limit. */
  readonly connections: number | null;
  readonly connectTimeoutMs: number;
}

/** Creates the pool. Connections are opened on demand. */
export function createConnections(
  { proxyUrl }: Pick<Credentials, 'proxyUrl'>,
  options: ConnectionOptions,
): Connections {
  let current: { readonly tls: TlsMaterial; readonly dispatcher: Dispatcher } | undefined;
  const open = new Set<Dispatcher>();

  /** Requests on the old connections may finish; the connections close after them. */
  const retire = (dispatcher: Dispatcher): void => {
    void dispatcher.close().then(() => open.delete(dispatcher));
  };
  return {
    dispatcherFor: (tls) => {
      if (current !== undefined && isDeepStrictEqual(current.tls, tls)) return current.dispatcher;
      if (current !== undefined) retire(current.dispatcher);
      const dispatcher = openDispatcher(tls, proxyUrl, options);
      open.add(dispatcher);
      current = { tls, dispatcher };
      return dispatcher;
    },
    close: async () => {
      await Promise.all([...open].map((dispatcher) => dispatcher.destroy()));
      open.clear();
    },
  };
}

function openDispatcher(
  tls: TlsMaterial,
  proxyUrl: string | undefined,
  { connections, connectTimeoutMs }: ConnectionOptions,
): Dispatcher {
  // One stream per connection: a limit of connections is then a limit of requests, and a broken connection fails one
  // request.
  const common = { connections, allowH2: false, connectTimeout: connectTimeoutMs };
  if (proxyUrl === undefined) return new Agent({ ...common, connect: { ...tls, timeout: connectTimeoutMs } });
  return new ProxyAgent({ ...common, uri: proxyUrl, requestTls: { ...tls, timeout: connectTimeoutMs } });
}
