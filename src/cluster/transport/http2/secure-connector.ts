import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { buildConnector, Client } from 'undici';
import type { TlsMaterial } from '../../credentials/credentials.ts';

export interface SecureConnectorOptions {
  readonly tls: TlsMaterial;
  /** An HTTP proxy, which tunnels. */
  readonly proxyUrl: string | undefined;
  /** For the tunnel, and again for the handshake. */
  readonly timeoutMs: number;
}

/** Connects to the origin, offers HTTP/2, and verifies the server; `signal` ends the attempt. */
export type SecureConnector = (origin: string, signal: AbortSignal) => Promise<TLSSocket>;

/** undici's connector, whose types omit that it returns the socket and that a tunnel may be any stream. */
type Connector = (
  options: Omit<buildConnector.Options, 'httpSocket'> & { readonly httpSocket?: Duplex },
  callback: (error: Error | null, socket: TLSSocket) => void,
) => TLSSocket;

/** It connects and verifies in the same way as connections with HTTP/1.1, because undici's connector does both. */
export function createSecureConnector({ tls, proxyUrl, timeoutMs }: SecureConnectorOptions): SecureConnector {
  const connect = buildConnector({ ...tls, allowH2: true, timeout: timeoutMs }) as unknown as Connector;
  return async (origin, signal) => {
    const url = new URL(origin);
    const { hostname, host, port } = url;
    const address = { hostname: hostname.replace(/^\[|\]$/g, ''), host, port, protocol: 'https:' };
    const tunnel =
      proxyUrl === undefined ? {} : { httpSocket: await openTunnel(proxyUrl, url, timeoutMs, signal) };
    return new Promise((resolve, reject) => {
      const socket = connect({ ...address, ...tunnel }, (error) => {
        signal.removeEventListener('abort', stop);
        if (error === null) resolve(socket);
        else reject(error);
      });
      const stop = (): void => {
        socket.destroy(new DOMException('The connections are closed', 'AbortError'));
      };
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
    });
  };
}

/** RFC 9110, section 9.3.6. */
async function openTunnel(
  proxyUrl: string,
  { hostname, port }: URL,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Duplex> {
  const proxy = new URL(proxyUrl);
  const client = new Client(proxy.origin, { connect: { timeout: timeoutMs }, allowH2: false });
  const target = `${hostname}:${port === '' ? '443' : port}`;
  const ended = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const headers = { host: target, ...authorizationOf(proxy) };
    const { statusCode, socket } = await client.connect({ path: target, headers, signal: ended });
    if (statusCode === 200) return socket;
    // Whatever happens to it from here on, the refusal is the error.
    socket.on('error', () => undefined).destroy();
    throw new Error('The proxy refused the tunnel');
  } finally {
    // The tunnel no longer belongs to the client.
    await client.destroy();
  }
}

function authorizationOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}
