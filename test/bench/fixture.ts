import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDeadline } from '../../src/timing/deadline.ts';
import { loadCredentials } from '../../src/cluster/credentials/credentials.ts';
import { createGateway } from '../../src/cluster/transport/gateway.ts';
import { SECRETS } from '../../src/cluster/objects/resources.ts';
import { createKubeClient, type KubeClient } from '../harness/kube-client.ts';
import { nativeSecret } from '../harness/secret-paths.ts';
import { startService, type ServiceProcess, type ServiceProcessOptions } from '../harness/service-process.ts';
import { withoutLease } from '../harness/without-lease.ts';
import { startChild } from './child.ts';

/** The cluster that is measured on: a development cluster in a process of its own, or the one that BENCH_KUBECONFIG names. */
export interface BenchFixture {
  readonly kubeconfigFile: string;
  /** For files that are gone with the fixture. */
  readonly folder: string;
  readonly kube: KubeClient;
  /** A namespace with so many Secrets of so many bytes; every other one is for team-a, the rest for team-b. */
  fill(count: number, bytes: number): Promise<string>;
  /** One LIST of all Secrets of the namespace, straight from the cluster, parsed. */
  direct(namespace: string): Promise<unknown>;
  /** A service on this cluster. It has no Lease: whatever else is there, the bench reorders no one's history. */
  service(options: Omit<ServiceProcessOptions, 'kubeconfigFile'>): Promise<ServiceProcess>;
  close(): Promise<void>;
}

/** Opens a fixture, works on it, and leaves nothing behind, whatever comes. */
export async function onBenchFixture(work: (fixture: BenchFixture) => Promise<void>): Promise<void> {
  const fixture = await openBenchFixture();
  try {
    await work(fixture);
  } finally {
    await fixture.close();
  }
}

async function openBenchFixture(): Promise<BenchFixture> {
  const folder = mkdtempSync(join(tmpdir(), 'service-bench-'));
  const given = process.env['BENCH_KUBECONFIG'] ?? '';
  const kubeconfigFile = given === '' ? join(folder, 'kubeconfig') : given;
  const dev =
    given === ''
      ? await startChild('hack/dev-cluster/main.ts', ['--port', '0', '--kubeconfig', kubeconfigFile])
      : undefined;
  const kube = createKubeClient(kubeconfigFile);
  const gateway = createGateway({
    credentials: loadCredentials({ kubeconfig: kubeconfigFile }),
    onCall: () => undefined,
  });
  const made: string[] = [];
  const services: ServiceProcess[] = [];
  return {
    kubeconfigFile,
    folder,
    kube,
    async fill(count, bytes) {
      const namespace = `bench-${Date.now().toString(36)}-${made.length}`;
      await kube.createNamespace(namespace);
      made.push(namespace);
      const indices = Array.from({ length: count }, (_, index) => index).values();
      const work = async (): Promise<void> => {
        for (const index of indices) await kube.createSecret(namespace, sample(index, bytes));
      };
      await Promise.all(Array.from({ length: 16 }, work));
      return namespace;
    },
    direct: async (namespace) => {
      // Not as a list, of which the gateway parses the items one by one.
      const request = { verb: 'get', resource: SECRETS, namespace, maxBytes: 2 ** 28 } as const;
      return (await gateway.request(request, startDeadline(60_000))).body;
    },
    async service(options) {
      const service = await startService({
        ...options,
        kubeconfigFile: withoutLease(kubeconfigFile, folder),
      });
      services.push(service);
      return service;
    },
    async close() {
      await Promise.all(services.map((service) => service.stop()));
      await gateway.close();
      for (const namespace of made) await kube.deleteNamespace(namespace);
      await kube.close();
      await dev?.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

function sample(index: number, bytes: number): object {
  const annotations = {
    'service.io/managed-by': 'service',
    'service.io/version': '3',
    'service.io/description': `Secret number ${index} of the benchmark`,
    'service.io/allowed-groups': index % 2 === 0 ? 'team-a' : 'team-b',
  };
  const values = { username: 'operator', password: 'x'.repeat(bytes - 8) };
  return nativeSecret(`secret-${String(index).padStart(6, '0')}`, values, { metadata: { annotations } });
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** Times a piece of work again and again, in milliseconds. */
export async function timed(rounds: number, work: () => Promise<unknown>): Promise<readonly number[]> {
  await work(); // the first one pays for connections and for code that is compiled
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now();
    await work();
    times.push(performance.now() - begun);
  }
  return times;
}

/** One line of a benchmark's answer. */
export function say(what: string, figures: Readonly<Record<string, number | string>>): void {
  const text = Object.entries(figures).map(
    ([name, value]) => `${name} ${typeof value === 'number' ? Number(value.toPrecision(3)) : value}`,
  );
  process.stdout.write(`${what.padEnd(46)} ${text.join('  ')}\n`);
}
