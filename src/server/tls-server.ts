import type { RequestListener, Server, ServerOptions } from 'node:http';
import { createServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { CertificateSource } from './certificate-source.ts';
import { contextOf } from './server-certificate.ts';

/** An HTTPS server that uses each certificate of the source for the connections after it. */
export function createTlsServer(
  certificate: CertificateSource,
  options: ServerOptions & { readonly handshakeTimeout: number },
  serve: RequestListener,
): Server {
  const server = createServer({ ...options, ALPNProtocols: ['http/1.1'] }, serve);
  // Node would answer a failed handshake like a malformed request. There is no one to read the answer.
  server.removeAllListeners('tlsClientError');
  server.on('tlsClientError', (_error: Error, socket: TLSSocket) => {
    socket.destroy();
  });
  certificate.follow((current) => {
    server.setSecureContext(contextOf(current));
  });
  return server;
}
