import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ListenError } from '../../../src/server/listen.ts';
import { createService } from '../../../src/app/create-service.ts';
import { readSettings } from '../../../src/config/settings.ts';
import { startDevCluster } from '../../../hack/dev-cluster/dev-cluster.ts';
import { collectLog } from '../../harness/collected-log.ts';
import { freePort } from '../../harness/free-port.ts';
import { TEST_SESSION_SECRET } from '../../harness/service-process.ts';

/** The whole service, composed in this process and listening: many of them start in a second. */
export interface ComposedService {
  readonly url: string;
  readonly opsUrl: string;
  /** Every log line so far, at the most verbose level. */
  log(): string;
  logLines(): readonly Record<string, unknown>[];
  close(): Promise<void>;
}

/** Settings on top of a complete set for tests; a function receives the service's own address. */
export type Environment =
  | Readonly<Record<string, string>>
  | ((url: string) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

/** A development cluster that any number of services share. */
export interface Fixture {
  start(environment?: Environment): Promise<ComposedService>;
  close(): Promise<void>;
}

export async function startServiceFixture(): Promise<Fixture> {
  const folder = mkdtempSync(join(tmpdir(), 'sign-in-test-'));
  const cluster = await startDevCluster({ port: 0 });
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 });
  const services = new Set<ComposedService>();
  return {
    start: async (environment = {}) => {
      const service = await composeSomewhere(kubeconfig, environment);
      services.add(service);
      return service;
    },
    close: async () => {
      await Promise.all([...services].map((service) => service.close()));
      await cluster.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** The address must be known before the service listens, so someone else can be faster: then again. */
async function composeSomewhere(kubeconfig: string, environment: Environment): Promise<ComposedService> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await compose(kubeconfig, environment);
    } catch (error) {
      if (!(error instanceof ListenError) || attempt === 5) throw error;
    }
  }
}

async function compose(kubeconfig: string, environment: Environment): Promise<ComposedService> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const log = collectLog();
  const settings = readSettings({
    HOST: '127.0.0.1',
    PORT: String(port),
    OPS_PORT: '0',
    NEXT_PUBLIC_APP_URL: url,
    SESSION_SECRET: TEST_SESSION_SECRET,
    SERVICE_ADMIN_GROUPS: 'platform-admins',
    SERVICE_RATE_LIMIT: 'off',
    SERVICE_LOGIN_RATE_LIMIT: 'off',
    LOG_LEVEL: 'trace',
    ...(typeof environment === 'function' ? await environment(url) : environment),
  });
  const service = await createService(
    settings,
    { KUBECONFIG: kubeconfig },
    { output: { joined: log, atOnce: log } },
  );
  await service.start();
  let closed: Promise<void> | undefined;
  return {
    url,
    opsUrl: `http://127.0.0.1:${service.ports().ops}`,
    log: () => log.text(),
    logLines: () => log.lines(),
    close: () => (closed ??= service.stop('test')),
  };
}
