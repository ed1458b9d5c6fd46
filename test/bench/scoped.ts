import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, isIP, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { makeCertificate } from '../fakes/certificate.ts';
import { startService, type ServiceProcess } from '../harness/service-process.ts';
import { withoutLease } from '../harness/without-lease.ts';
import { startChild } from './child.ts';
import { say } from './fixture.ts';
import { installedLimits, memoryOf } from './installed-limits.ts';

/**
 * Many namespaces in SERVICE_NAMESPACES: the connections of the service, and what it sends when the API server returns. A tunnel
 * between the two counts connections and ends them, so any cluster can be measured; no namespace has to exist.
 */

const NAMESPACES = Number(process.env['BENCH_NAMESPACES'] ?? 500);
const AWAY_MS = 5_000;
const RETURN_SECONDS = 60;
/** In five seconds; probes go on. */
const QUIET_REQUESTS = 20;

interface Front {
  readonly url: string;
  connections(): number;
  /** Ends all connections and takes no more. */
  leave(): Promise<void>;
  return(): Promise<void>;
}

const folder = mkdtempSync(join(tmpdir(), 'service-bench-'));
const stops: (() => unknown)[] = [
  () => {
    rmSync(folder, { recursive: true });
  },
];
try {
  const given = process.env['BENCH_KUBECONFIG'] ?? '';
  await measure(given === '' ? await startCluster() : given);
} finally {
  for (const stop of stops.reverse()) await stop();
}

async function startCluster(): Promise<string> {
  const [kubeconfig, cert, key] = ['cluster', 'cert', 'key'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const certificate = makeCertificate('cluster');
  writeFileSync(cert, certificate.cert);
  writeFileSync(key, certificate.key, { mode: 0o600 });
  const options = ['--port', '0', '--kubeconfig', kubeconfig, '--cert', cert, '--key', key];
  const cluster = await startChild('hack/dev-cluster/main.ts', options);
  stops.push(() => cluster.stop());
  return kubeconfig;
}

async function measure(kubeconfig: string): Promise<void> {
  const { file, front } = await putFrontBefore(kubeconfig);
  const names = Array.from({ length: NAMESPACES }, (_, index) => `bench-scoped-${index}`);
  const begun = performance.now();
  const service = await startService({
    kubeconfigFile: withoutLease(file, folder),
    waitFor: 'live',
    env: {
      SERVICE_NAMESPACES: names.join(','),
      LOG_LEVEL: 'error',
      NODE_OPTIONS: installedLimits().nodeOptions,
    },
  });
  stops.push(() => service.stop());
  await until(service, areSynced);
  const syncedSeconds = (performance.now() - begun) / 1_000;
  await untilQuiet(service);
  const sockets = front.connections();
  const rss = memoryOf(service, 'VmRSS');
  await front.leave();
  await sleep(AWAY_MS);
  let before = requests(await scrape(service));
  await front.return();
  const perSecond: number[] = [];
  while (perSecond.length < RETURN_SECONDS) {
    await sleep(1_000);
    const now = requests(await scrape(service));
    perSecond.push(now - before);
    before = now;
  }
  say(`${NAMESPACES} scoped namespaces`, {
    'sockets (aim 20)': sockets,
    'requests in the first second after the API server’s return (aim 40)': perSecond[0] ?? NaN,
    'most in a second': Math.max(...perSecond),
    'start to synchronized s': syncedSeconds,
    'RSS MiB': rss / 2 ** 20,
  });
}

/** A kubeconfig whose cluster is behind a tunnel. */
async function putFrontBefore(kubeconfig: string): Promise<{ readonly file: string; readonly front: Front }> {
  const config = parse(readFileSync(kubeconfig, 'utf8')) as {
    clusters: { cluster: { server: string; 'tls-server-name'?: string } }[];
  };
  const cluster = config.clusters[0]?.cluster;
  if (cluster === undefined) throw new Error('the kubeconfig names no cluster');
  const { hostname, port } = new URL(cluster.server);
  const front = await startFront(hostname, Number(port === '' ? '443' : port));
  cluster.server = front.url;
  if (isIP(hostname) === 0) cluster['tls-server-name'] ??= hostname;
  const file = join(folder, 'front');
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  return { file, front };
}

async function startFront(host: string, port: number): Promise<Front> {
  const clients = new Set<Socket>();
  const open = async (at: number): Promise<Server> => {
    const server = createServer((client) => {
      const upstream = connect(port, host);
      clients.add(client);
      client.on('close', () => clients.delete(client));
      for (const socket of [client, upstream]) {
        socket.on('error', () => undefined); // connections are cut here on purpose
        socket.on('close', () => {
          client.destroy();
          upstream.destroy();
        });
      }
      client.pipe(upstream).pipe(client);
    });
    await new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
    return server;
  };
  let server = await open(0);
  const own = (server.address() as AddressInfo).port;
  const leave = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const client of clients) client.destroy();
    await closed;
  };
  stops.push(leave);
  return {
    url: `https://127.0.0.1:${own}`,
    connections: () => clients.size,
    leave,
    return: async () => {
      server = await open(own);
    },
  };
}

/** Until no more watches begin: each waits for its turn. */
async function untilQuiet(service: ServiceProcess): Promise<void> {
  for (let before = -Infinity; ;) {
    const now = requests(await scrape(service));
    if (now - before < QUIET_REQUESTS) return;
    before = now;
    await sleep(5_000);
  }
}

function areSynced(text: string): boolean {
  return ['secrets', 'policies'].every((cache) => text.includes(`service_cache_synced{cache="${cache}"} 1`));
}

/** All attempts of requests to the cluster. */
function requests(text: string): number {
  const values = [...text.matchAll(/^service_cluster_requests_total\{[^}]*\} (\d+)$/gm)];
  return values.reduce((sum, [, value]) => sum + Number(value), 0);
}

async function scrape(service: ServiceProcess): Promise<string> {
  return (await fetch(`${service.opsUrl}/metrics`)).text();
}

async function until(service: ServiceProcess, isDone: (text: string) => boolean): Promise<void> {
  while (!isDone(await scrape(service))) await sleep(500);
}
