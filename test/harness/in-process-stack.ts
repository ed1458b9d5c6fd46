import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionUser } from '../../src/access/actor.ts';
import { createService, type Service } from '../../src/app/create-service.ts';
import { readSettings } from '../../src/config/settings.ts';
import { startDevCluster, type DevCluster } from '../../hack/dev-cluster/dev-cluster.ts';
import { PREFIX } from './annotation.ts';
import { clientFor, type ApiClient } from './api-client.ts';
import { collectLog } from './collected-log.ts';
import { withInstalledRights } from './installed-rights.ts';
import { interceptCluster, type Interception } from './interception.ts';
import { createKubeClient, type KubeClient } from './kube-client.ts';
import { TEST_SESSION_SECRET } from './service-process.ts';

/**
 * The service composed in this process, over HTTP, on a development cluster of its own, with a proxy between the
 * two. For tests that look into requests to the cluster, act in between, or shorten a timeout.
 */
export interface InProcessStack extends ComposedService {
  readonly dev: DevCluster;
  readonly between: Interception;
  readonly kube: KubeClient;
  namespace(): Promise<string>;
  /** A second service with the same settings but these, on the same cluster. */
  another(options: ServiceOptions): Promise<ComposedService>;
  /** Everything logged so far, by all services. */
  log(): string;
  logLines(): readonly Record<string, unknown>[];
  close(): Promise<void>;
}

export interface ComposedService {
  readonly url: string;
  readonly opsUrl: string;
  client(user?: SessionUser): Promise<ApiClient>;
}

export interface ServiceOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** How long one attempt at the cluster may take; the service's own default is generous. */
  readonly attemptTimeoutMs?: number;
}

export interface InProcessOptions extends ServiceOptions {
  /** Whether the history reconciler may get its Lease and so join in; true by default. */
  readonly reconciles?: boolean;
  /** The service's kubeconfig, given the cluster and its address; by default its own account's. */
  readonly kubeconfig?: (dev: DevCluster, server: string) => Promise<string>;
}

const SETTINGS = {
  HOST: '127.0.0.1',
  PORT: '0',
  OPS_PORT: '0',
  SESSION_SECRET: TEST_SESSION_SECRET,
  SERVICE_ANNOTATION_PREFIX: PREFIX,
  SERVICE_ADMIN_GROUPS: 'platform-admins',
  SERVICE_RATE_LIMIT: 'off',
  SERVICE_LOGIN_RATE_LIMIT: 'off',
  LOG_LEVEL: 'trace',
};

export async function startInProcessStack(options: InProcessOptions = {}): Promise<InProcessStack> {
  const folder = mkdtempSync(join(tmpdir(), 'service-test-'));
  const dev = await startDevCluster({ port: 0 });
  const between = await interceptCluster(
    dev.url,
    ({ path }) => options.reconciles === false && path.includes('/leases'),
  );
  const kubeconfig = await (options.kubeconfig ?? withInstalledRights)(dev, between.url);
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const kube = createKubeClient(write('admin', dev.kubeconfig()));
  const serviceKubeconfig = write('service', kubeconfig);
  const log = collectLog();
  const services: Service[] = [];
  const start = async ({ env, attemptTimeoutMs }: ServiceOptions): Promise<ComposedService> => {
    const settings = readSettings({ ...SETTINGS, ...options.env, ...env });
    const service = await createService(
      settings,
      { KUBECONFIG: serviceKubeconfig },
      {
        output: { joined: log, atOnce: log },
        ...(attemptTimeoutMs === undefined ? {} : { attemptTimeoutMs }),
      },
    );
    services.push(service);
    await service.start();
    const url = `http://localhost:${service.ports().api}`;
    const opsUrl = `http://127.0.0.1:${service.ports().ops}`;
    return { url, opsUrl, client: (user) => clientFor(url, user) };
  };
  return {
    ...(await start(options)),
    another: start,
    dev,
    between,
    kube,
    async namespace() {
      const name = `test-${randomBytes(5).toString('hex')}`;
      await kube.createNamespace(name);
      return name;
    },
    log: () => log.text(),
    logLines: () => log.lines(),
    async close() {
      await Promise.all(services.map((service) => service.stop('test')));
      await kube.close();
      await between.close();
      await dev.close();
      rmSync(folder, { recursive: true });
    },
  };
}
