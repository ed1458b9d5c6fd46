import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Where one replica listens. */
export interface Backend {
  readonly url: string;
  readonly opsUrl: string;
}

/**
 * What a Kubernetes Service with kube-proxy is to its clients: each new connection goes to one of the replicas that
 * were ready a while ago, in turn; a connection that stands stays where it is.
 */
export interface Balancer {
  readonly url: string;
  add(backend: Backend): void;
  /** Whether new connections go to this replica. */
  uses(backend: Backend): boolean;
  close(): Promise<void>;
}

export interface BalancerOptions {
  /** How often each replica's readiness is requested. */
  readonly probeEveryMs: number;
  /** How long a change of readiness takes to reach the place where connections are made. */
  readonly delayMs: number;
}

class Endpoint {
  readonly backend: Backend;
  readonly sockets = new Set<Socket>();
  used = false;

  constructor(backend: Backend) {
    this.backend = backend;
  }
}

export async function startBalancer(options: BalancerOptions): Promise<Balancer> {
  const endpoints: Endpoint[] = [];
  const end = new AbortController();
  let turn = 0;
  const server = createServer({ noDelay: true }, (client) => {
    const used = endpoints.filter((endpoint) => endpoint.used);
    const endpoint = used[turn++ % used.length];
    if (endpoint === undefined) client.destroy();
    else join(client, endpoint);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const find = (backend: Backend) => endpoints.find((endpoint) => endpoint.backend === backend);
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    add(backend) {
      const endpoint = new Endpoint(backend);
      endpoints.push(endpoint);
      void follow(endpoint, options, end.signal);
    },
    uses: (backend) => find(backend)?.used ?? false,
    async close() {
      end.abort();
      for (const { sockets } of endpoints) for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function join(client: Socket, endpoint: Endpoint): void {
  const { hostname, port } = new URL(endpoint.backend.url);
  const upstream = connect({ host: hostname, port: Number(port), noDelay: true });
  endpoint.sockets.add(client);
  client.pipe(upstream).pipe(client);
  for (const [one, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    one.on('error', () => other.destroy());
    one.on('close', () => {
      endpoint.sockets.delete(client);
      other.destroy();
    });
  }
}

/** Keeps requesting the replica's readiness; what it says takes effect the delay after the request, in order. */
async function follow(endpoint: Endpoint, options: BalancerOptions, end: AbortSignal): Promise<void> {
  let known = false;
  while (!end.aborted) {
    const begun = performance.now();
    const ready = await isReady(endpoint.backend, end);
    if (ready !== known) {
      known = ready;
      const delayMs = Math.max(0, options.delayMs - (performance.now() - begun));
      setTimeout(() => {
        endpoint.used = ready;
      }, delayMs).unref();
    }
    await sleep(options.probeEveryMs);
  }
}

function isReady({ opsUrl }: Backend, signal: AbortSignal): Promise<boolean> {
  return fetch(`${opsUrl}/readyz`, { signal }).then(
    (answer) => answer.ok,
    () => false, // not listening yet, or no longer
  );
}
