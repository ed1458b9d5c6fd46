import { once } from 'node:events';
import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestCertificate } from '../../fakes/certificate.ts';

/** A proxy that terminates TLS, as an ingress does. */
export interface TlsProxy {
  /** `https://localhost:<port>`. */
  readonly url: string;
  /** Where requests go from now on: a port on this machine. */
  forwardTo(port: number): void;
  close(): Promise<void>;
}

export interface TlsProxyOptions {
  readonly certificate: TestCertificate;
  /** The Host header that is sent on; the public one when left out. */
  readonly internalHost?: string;
}

export async function startTlsProxy({ certificate, internalHost }: TlsProxyOptions): Promise<TlsProxy> {
  let target = 0;
  const forward = (incoming: IncomingMessage, response: ServerResponse): void => {
    const publicHost = incoming.headers.host ?? '';
    const headers = {
      ...incoming.headers,
      host: internalHost ?? publicHost,
      'x-forwarded-proto': 'https',
      'x-forwarded-host': publicHost,
    };
    const { method, url: path } = incoming;
    const onward = request({ host: '127.0.0.1', port: target, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.once('error', () => {
      response.writeHead(502).end();
    });
    incoming.pipe(onward);
  };
  const server = createServer(certificate, forward);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    forwardTo: (port) => {
      target = port;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
