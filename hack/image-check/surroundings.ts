import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { makeCertificate } from '../../test/fakes/certificate.ts';
import { startTunnelProxy } from '../../test/fakes/tunnel-proxy.ts';
import { startDevCluster } from '../dev-cluster/dev-cluster.ts';
import { authorityOf, kubeconfigOf } from '../kubeconfig.ts';

/** What the service is connected to while it is probed, so that it loads what it only loads for such connections. */
export interface Surroundings {
  /**
   * For the cluster: TLS with its own authority, HTTP/2 for watches, a proxy, and credentials that a program prints.
   * @param program an executable, and arguments with which it runs a script of JavaScript
   */
  kubeconfig(program: string): string;
  /** Where traces are sent. */
  readonly collectorUrl: string;
  /** How often it connected to the cluster through the proxy. */
  tunnels(): number;
  /** How often it sent traces. */
  exports(): number;
  close(): Promise<void>;
}

const EXEC = { apiVersion: 'client.authentication.k8s.io/v1', interactiveMode: 'Never' } as const;

export async function startSurroundings(): Promise<Surroundings> {
  const certificate = makeCertificate('cluster');
  const cluster = await startDevCluster({ tls: certificate });
  const proxy = await startTunnelProxy();
  let exports = 0;
  const collector = createServer((request, response) => {
    if (request.url === '/v1/traces') exports += 1;
    request.resume().on('end', () => response.setHeader('content-type', 'application/json').end('{}'));
  });
  const collectorUrl = await listen(collector);
  const { apiVersion } = EXEC;
  const credential = { apiVersion, kind: 'ExecCredential', status: { token: cluster.adminToken } };
  const print = `console.log(${JSON.stringify(JSON.stringify(credential))})`;
  return {
    collectorUrl,
    kubeconfig: (command) =>
      kubeconfigOf({
        name: 'a',
        cluster: { server: cluster.url, ...authorityOf(certificate.cert), 'proxy-url': proxy.url },
        user: { exec: { ...EXEC, command, args: ['--eval', print] } },
      }),
    tunnels: () => proxy.tunnels.length,
    exports: () => exports,
    close: async () => {
      await cluster.close();
      proxy.close();
      collector.close().closeAllConnections();
    },
  };
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
