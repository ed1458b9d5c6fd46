import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import {
  startDevCluster,
  type DevCluster,
  type DevClusterOptions,
} from '../../hack/dev-cluster/dev-cluster.ts';
import { createService } from '../../src/app/create-service.ts';
import { readSettings } from '../../src/config/settings.ts';
import { ADMIN, clientFor, type ApiClient } from '../harness/api-client.ts';
import { collectLog } from '../harness/collected-log.ts';
import { createKubeClient, type KubeClient, type ClusterObject } from '../harness/kube-client.ts';
import { secretsOf, type SecretsClient } from '../harness/secrets-client.ts';
import { TEST_SESSION_SECRET } from '../harness/service-process.ts';
import { eventually } from '../harness/eventually.ts';

type Env = Readonly<Record<string, string>>;

/** One replica of the service, composed in this process. */
export interface Replica {
  readonly url: string;
  readonly opsUrl: string;
  /** An administrator's session at this replica. */
  readonly admin: ApiClient;
  /** The same, for the Secrets of one namespace. */
  secrets(namespace: string): SecretsClient;
  /** The exposition's lines of the service's own metrics. */
  metrics(): Promise<readonly string[]>;
  /** Whether `/livez` or `/readyz` answers 200. */
  answers(probe: 'livez' | 'readyz'): Promise<boolean>;
  logLines(): readonly Record<string, unknown>[];
  stop(): Promise<void>;
}

/** A development cluster with as many replicas as a test wants. */
export interface Replicas {
  readonly dev: DevCluster;
  readonly kube: KubeClient;
  namespace(): Promise<string>;
  /** Starts a replica; `kubeconfig` is an administrator's unless given. */
  replica(env?: Env, kubeconfig?: string): Promise<Replica>;
  close(): Promise<void>;
}

export async function openReplicas({
  env: all = {},
  ...cluster
}: Partial<DevClusterOptions> & { readonly env?: Env } = {}): Promise<Replicas> {
  const folder = mkdtempSync(join(tmpdir(), 'service-test-'));
  const dev = await startDevCluster({ port: 0, ...cluster });
  const write = (text: string): string => {
    const file = join(folder, randomBytes(4).toString('hex'));
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  const kube = createKubeClient(write(dev.kubeconfig()));
  const replicas: Replica[] = [];
  return {
    dev,
    kube,
    async namespace() {
      const name = `test-${randomBytes(5).toString('hex')}`;
      await kube.createNamespace(name);
      return name;
    },
    async replica(env = {}, kubeconfig = dev.kubeconfig()) {
      const replica = await startReplica(write(kubeconfig), { ...all, ...env });
      replicas.push(replica);
      return replica;
    },
    async close() {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await kube.close();
      await dev.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Starts a replica on whatever the kubeconfig leads to, reachable or not. */
async function startReplica(KUBECONFIG: string, env: Env): Promise<Replica> {
  const log = collectLog();
  const settings = readSettings({
    ...{ HOST: '127.0.0.1', PORT: '0', OPS_PORT: '0', SESSION_SECRET: TEST_SESSION_SECRET },
    ...{ SERVICE_ADMIN_GROUPS: 'platform-admins', SERVICE_RATE_LIMIT: 'off', LOG_LEVEL: 'debug' },
    ...env,
  });
  const service = await createService(settings, { KUBECONFIG }, { output: { joined: log, atOnce: log } });
  await service.start();
  const url = `http://localhost:${service.ports().api}`;
  const opsUrl = `http://127.0.0.1:${service.ports().ops}`;
  const admin = await clientFor(url, ADMIN);
  let stopped: Promise<void> | undefined;
  return {
    url,
    opsUrl,
    admin,
    secrets: (namespace) => secretsOf(admin, namespace),
    metrics: async () =>
      (await (await fetch(`${opsUrl}/metrics`)).text())
        .split('\n')
        .filter((line) => line.startsWith('service_')),
    answers: async (probe) => (await fetch(`${opsUrl}/${probe}`)).ok,
    logLines: () => log.lines(),
    stop: () => (stopped ??= service.stop('test')),
  };
}

/** Waits until `look` gives `wanted`; fails with the last difference, and `what`, when it does not within the time. */
export const becomes = (
  look: () => unknown,
  wanted: unknown,
  timeoutMs?: number,
  what?: string,
): Promise<void> =>
  eventually(async () => {
    expect(await look(), what).toEqual(wanted);
  }, timeoutMs);

/** The history objects of a namespace by name, by label or by annotation. */
export async function historyOf(kube: KubeClient, namespace: string): Promise<readonly ClusterObject[]> {
  return (await kube.listSecrets(namespace)).filter(
    ({ metadata }) => metadata.annotations?.['service.io/history-uid'] !== undefined,
  );
}

/** Names of history objects without their digests. */
export function shortNames(objects: readonly ClusterObject[]): readonly string[] {
  return objects.map(({ metadata }) => metadata.name.replace(/\.[0-9a-f]{16}$/, '')).sort();
}

/** Takes the labels from an object, as `kubectl label` would. */
export function loseLabels(kube: KubeClient, namespace: string, name: string): Promise<ClusterObject> {
  const labels = { 'service.io/kind': null, 'service.io/history-uid': null };
  return kube.patchSecret(namespace, name, { metadata: { labels } });
}
