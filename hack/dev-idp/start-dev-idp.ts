import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { devIdpConfiguration } from './configuration.ts';
import { serveInteractions } from './interactions.ts';

export interface DevIdpOptions {
  /** 0 picks a free port. */
  readonly port: number;
  /** Defaults to 127.0.0.1: its passwords are public. The issuer is `http://localhost:<port>` whatever the host is. */
  readonly host?: string;
  /** Where the service receives the callback; must match to the letter. */
  readonly redirectUris: readonly string[];
  /** The issuer, where a proxy that terminates TLS stands in front; it must set X-Forwarded-Proto and -Host. */
  readonly publicUrl?: string;
  /** Called with the provider's own failures; they are ignored when it is left out. */
  readonly onServerError?: (error: Error) => void;
}

export interface DevIdp {
  readonly issuer: string;
  /** Where it listens. */
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Starts the development identity provider in this process.
 * @throws the listening error (`EADDRINUSE`) when the port is in use
 */
export async function startDevIdp(options: DevIdpOptions): Promise<DevIdp> {
  const server = createServer();
  server.listen(options.port, options.host ?? '127.0.0.1');
  await once(server, 'listening'); // rejects with the server's error
  const port = (server.address() as AddressInfo).port;
  const issuer = options.publicUrl ?? `http://localhost:${port}`;
  const provider = new Provider(issuer, devIdpConfiguration(options.redirectUris));
  provider.proxy = options.publicUrl !== undefined;
  serveInteractions(provider);
  provider.on('server_error', (_ctx, error) => options.onServerError?.(error));
  const handle = provider.callback();
  server.on('request', (request, response) => void handle(request, response));
  return { issuer, port, close: () => close(server) };
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
