import { Agent, ProxyAgent, type Dispatcher } from 'undici';
import type { Credentials, TlsMaterial } from '../credentials/credentials.ts';
import { createRotation } from './rotation.ts';

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
  const rotation = createRotation((tls) => openDispatcher(tls, proxyUrl, options));
  return { dispatcherFor: (tls) => rotation.connectionsFor(tls), close: () => rotation.close() };
}

/** Connections with HTTP/1.1. */
export function openDispatcher(
  tls: TlsMaterial,
  proxyUrl: string | undefined,
  { connections, connectTimeoutMs }: ConnectionOptions,
): Dispatcher {
  // One request per connection: a limit of connections is then a limit of requests, and a broken connection fails one
  // request.
  const common = { connections, allowH2: false, connectTimeout: connectTimeoutMs };
  if (proxyUrl === undefined) return new Agent({ ...common, connect: { ...tls, timeout: connectTimeoutMs } });
  return new ProxyAgent({ ...common, uri: proxyUrl, requestTls: { ...tls, timeout: connectTimeoutMs } });
}
