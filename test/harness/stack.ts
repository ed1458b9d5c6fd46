import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionUser } from '../../src/access/actor.ts';
import { startDevCluster, type DevCluster } from '../../hack/dev-cluster/dev-cluster.ts';
import { ADMIN, clientFor, DEVELOPER_A, DEVELOPER_B, GUEST, type ApiClient } from './api-client.ts';
import { withInstalledRights } from './installed-rights.ts';
import { createKubeClient, type KubeClient } from './kube-client.ts';
import { startService, type ServiceProcess, type ServiceProcessOptions } from './service-process.ts';
import { withoutLease } from './without-lease.ts';

/**
 * A cluster, the built service against it as a process, and clients of both. With TEST_KUBECONFIG set the
 * cluster is the one that it names, and only namespaces of the tests' own are created and removed; the service then
 * uses TEST_SERVICE_KUBECONFIG, where that is set, and never has a Lease. On the development cluster it has its own
 * account's rights.
 */
export interface Stack {
  readonly service: ServiceProcess;
  readonly kube: KubeClient;
  /** The development cluster, for its faults and its request log; throws when the tests run on another cluster. */
  readonly dev: DevCluster;
  readonly isDevCluster: boolean;
  readonly kubeconfigFile: string;
  /** Creates a namespace of this test run's own. */
  namespace(): Promise<string>;
  client(user?: SessionUser): Promise<ApiClient>;
  readonly admin: ApiClient;
  readonly developerA: ApiClient;
  readonly developerB: ApiClient;
  readonly guest: ApiClient;
  readonly anonymous: ApiClient;
  /** Another service process on the same cluster. */
  anotherService(options?: Partial<ServiceProcessOptions>): Promise<ServiceProcess>;
  close(): Promise<void>;
}

/** With a service of its own, for settings or for what a test does to the service itself. */
export async function startStack(options: Partial<ServiceProcessOptions> = {}): Promise<Stack> {
  const parts = await startParts(options);
  return stackOf(parts, { ofItsOwn: true });
}

let shared: Promise<Parts> | undefined;

/**
 * The stack that the files of a worker share: each leaves it without faults, namespaces or further services of its own,
 * and without a write of unknown outcome, after which no search is answered for a minute.
 */
export async function openStack(): Promise<Stack> {
  shared ??= startShared();
  return stackOf(await shared, { ofItsOwn: false });
}

/** It ends with the process of its worker, which ends by a signal: nothing is closed in order then. */
async function startShared(): Promise<Parts> {
  const parts = await startParts({});
  process.once('SIGTERM', () => process.exit());
  process.once('exit', () => {
    rmSync(parts.folder, { recursive: true, force: true });
  });
  return parts;
}

interface Parts {
  readonly folder: string;
  readonly dev: DevCluster | undefined;
  readonly kubeconfigFile: string;
  readonly kube: KubeClient;
  readonly service: ServiceProcess;
  readonly start: (options: Partial<ServiceProcessOptions>) => Promise<ServiceProcess>;
}

async function startParts(options: Partial<ServiceProcessOptions>): Promise<Parts> {
  const folder = mkdtempSync(join(tmpdir(), 'service-test-'));
  const given = process.env['TEST_KUBECONFIG'] ?? '';
  const dev = given === '' ? await startDevCluster({ port: 0 }) : undefined;
  const kubeconfigFile = dev === undefined ? given : join(folder, 'kubeconfig');
  if (dev !== undefined) writeFileSync(kubeconfigFile, dev.kubeconfig(), { mode: 0o600 });
  const kube = createKubeClient(kubeconfigFile);
  // Where it is given, the service is less than the administrator who arranges the tests.
  const ofService = process.env['TEST_SERVICE_KUBECONFIG'] ?? '';
  const serviceKubeconfig =
    dev === undefined
      ? withoutLease(ofService === '' ? given : ofService, folder)
      : join(folder, 'service-kubeconfig');
  if (dev !== undefined) {
    writeFileSync(serviceKubeconfig, await withInstalledRights(dev, dev.url), { mode: 0o600 });
  }
  const start: Parts['start'] = (more) => startService({ kubeconfigFile: serviceKubeconfig, ...more });
  return { folder, dev, kubeconfigFile, kube, start, service: await start(options) };
}

async function stackOf(parts: Parts, { ofItsOwn }: { readonly ofItsOwn: boolean }): Promise<Stack> {
  const { dev, kube, kubeconfigFile, service } = parts;
  // A run that is broken off is cleaned up after by the name.
  const ofRun = process.env['TEST_NAMESPACE_PREFIX'] ?? '';
  const namespaces: string[] = [];
  const others: ServiceProcess[] = [];
  const linesBefore = service.logLines().length;
  const client = (user?: SessionUser): Promise<ApiClient> => clientFor(service.url, user);
  return {
    service,
    kube,
    get dev() {
      if (dev === undefined) throw new Error('this test needs the development cluster');
      return dev;
    },
    isDevCluster: dev !== undefined,
    kubeconfigFile,
    async namespace() {
      const name = `${ofRun}test-${randomBytes(5).toString('hex')}`;
      await kube.createNamespace(name);
      namespaces.push(name);
      return name;
    },
    client,
    admin: await client(ADMIN),
    developerA: await client(DEVELOPER_A),
    developerB: await client(DEVELOPER_B),
    guest: await client(GUEST),
    anonymous: await client(),
    async anotherService(more = {}) {
      const other = await parts.start(more);
      others.push(other);
      return other;
    },
    async close() {
      await Promise.all(others.map((one) => one.stop()));
      if (!ofItsOwn) {
        dev?.faults.clear();
        await removeNamespaces(kube, namespaces);
        const lines = service.logLines().slice(linesBefore);
        if (lines.some(({ event, code }) => event === 'audit' && code === 'uncertain'))
          throw new Error('a write of unknown outcome needs a service of its own: start one with startStack');
        return;
      }
      await service.stop();
      if (dev === undefined) await removeNamespaces(kube, namespaces);
      await kube.close();
      await dev?.close();
      rmSync(parts.folder, { recursive: true });
    },
  };
}

/** A test that failed half-way may have left a Secret that is held: it would hold its namespace, too. */
async function removeNamespaces(kube: KubeClient, namespaces: readonly string[]): Promise<void> {
  const remove = async (namespace: string): Promise<void> => {
    await kube.deleteNamespace(namespace);
    await kube.removeFinalizers(namespace);
  };
  await Promise.all(namespaces.map(remove));
}
