import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished, vi } from 'vitest';
import { startDevCluster, type DevCluster } from '../../../hack/dev-cluster/dev-cluster.ts';
import type { ServerTls } from '../../../hack/dev-cluster/http/server.ts';
import { systemClock, type Clock } from '../../../src/timing/clock.ts';
import { makeCertificate, type TestCertificate } from '../../fakes/certificate.ts';
import { startTunnelProxy } from '../../fakes/tunnel-proxy.ts';
import { credentialsFor, gatewayTo } from './gateway-fixture.ts';

export const certificate = makeCertificate('cluster');
export const running = (): AbortSignal => new AbortController().signal;

/** Has connections that are opened from now on, in this test, send and await their pings by the time of `vi`. */
export function fakeIntervals(): void {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
}

/** A development cluster with TLS, which ends with the test. */
export async function startTlsCluster(tls: Partial<ServerTls> = {}): Promise<DevCluster> {
  const cluster = await startDevCluster({ tls: { ...certificate, ...tls } });
  onTestFinished(() => cluster.close());
  return cluster;
}

export interface SecureGatewayOptions {
  readonly ca?: readonly TestCertificate[];
  readonly token?: string;
  readonly proxyUrl?: string;
  readonly clock?: Clock;
}

/** A gateway that trusts the cluster's certificate; `trust` changes that while it runs. */
export function secureGateway(url: string, options: SecureGatewayOptions = {}) {
  const { ca = [certificate], token = 'dev-token', proxyUrl, clock = systemClock } = options;
  const state = { ca };
  const credentials = credentialsFor(url, {
    proxyUrl,
    access: () =>
      Promise.resolve({
        headers: { authorization: `Bearer ${token}` },
        tls: { ca: state.ca.map(({ cert }) => cert) },
      }),
  });
  const opened = gatewayTo(url, { credentials, clock });
  return {
    ...opened,
    trust: (...trusted: readonly TestCertificate[]) => {
      state.ca = trusted;
    },
  };
}

/** A proxy that tunnels, with a user and a password in its address. */
export async function startProxy() {
  const proxy = await startTunnelProxy();
  onTestFinished(() => {
    proxy.close();
  });
  return { url: proxy.url.replace('//', '//user:p%40ss@'), tunnels: proxy.tunnels };
}

/** A tunnel to a server that can stop to carry anything, or end within what it carries. */
export async function startTunnel(target: string) {
  const sockets = new Set<Socket>();
  let received = 0;
  /** What is carried before the connection is reset. */
  let left = Infinity;
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(target).port), '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined); // cut on purpose
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream);
    upstream.on('data', (chunk: Buffer) => {
      received += chunk.byteLength;
      client.write(chunk.subarray(0, left));
      left -= chunk.byteLength;
      if (left > 0) return;
      left = Infinity;
      upstream.destroy();
      client.resetAndDestroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Bytes from the server. */
    received: () => received,
    /** No byte in either direction, and nothing is closed. */
    silence: () => {
      for (const socket of sockets) socket.unpipe().pause();
    },
    /** Resets the connection that is the first to carry so many bytes from now on, within them. */
    resetAfter: (bytes: number) => {
      left = bytes;
    },
  };
}
