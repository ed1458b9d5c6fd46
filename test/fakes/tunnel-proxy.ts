import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

/** What a client requested of the proxy. */
export interface Tunnel {
  /** Host and port. */
  readonly target: string | undefined;
  /** The field Proxy-Authorization. */
  readonly authorization: string | undefined;
}

export interface TunnelProxy {
  readonly url: string;
  /** Every tunnel that was requested. */
  readonly tunnels: readonly Tunnel[];
  /** Cuts what is open. */
  close(): void;
}

/** A proxy that tunnels to any address (RFC 9110, section 9.3.6). */
export async function startTunnelProxy(): Promise<TunnelProxy> {
  const tunnels: Tunnel[] = [];
  const sockets = new Set<Socket>();
  const proxy = createServer().on('connect', (request, client: Socket) => {
    tunnels.push({ target: request.url, authorization: request.headers['proxy-authorization'] });
    const { hostname, port } = new URL(`http://${request.url ?? ''}`);
    const target = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(target).pipe(client);
    });
    for (const socket of [client, target]) {
      sockets.add(socket);
      socket.on('error', () => undefined); // Its end is what matters.
      // Either side going away takes the other with it.
      socket.on('close', () => {
        client.destroy();
        target.destroy();
      });
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    tunnels,
    close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}
