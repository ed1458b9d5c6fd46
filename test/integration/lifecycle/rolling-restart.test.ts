import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDevCluster, type DevCluster } from '../../../hack/dev-cluster/dev-cluster.ts';
import { ADMIN, clientFor } from '../../harness/api-client.ts';
import { secretsPath } from '../../harness/secret-paths.ts';
import { secretsOf } from '../../harness/secrets-client.ts';
import { startService, type ServiceProcess } from '../../harness/service-process.ts';
import { createKubeClient, type KubeClient } from '../../harness/kube-client.ts';
import { becomes } from '../replicas.ts';
import { startBalancer, type Balancer } from './balancer.ts';
import { startLoad } from './load.ts';

const PEOPLE = 3;
/** For what a busy machine takes its time for. */
const SLOW_MS = 30_000;
const HANDOVER_MS = 12_000; // below the 15 s for which an unreleased Lease is held
/** What it takes to follow: the endpoints are rewritten, every node's rules after them, and an ingress controller's last. */
const BALANCER = { probeEveryMs: 100, delayMs: 3_500 };
const PRODUCTION = {
  NODE_ENV: 'production',
  NEXT_PUBLIC_APP_URL: 'https://secrets.example.com',
  SERVICE_HISTORY_LIMIT: '3',
};

let folder: string;
let dev: DevCluster;
let kube: KubeClient;
let balancer: Balancer;
let kubeconfigFile: string;
const replicas: ServiceProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'service-test-'));
  dev = await startDevCluster();
  kubeconfigFile = join(folder, 'kubeconfig');
  writeFileSync(kubeconfigFile, dev.kubeconfig(), { mode: 0o600 });
  kube = createKubeClient(kubeconfigFile);
  balancer = await startBalancer(BALANCER);
});
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()));
  await balancer.close();
  await kube.close();
  await dev.close();
  rmSync(folder, { recursive: true });
});

/** A replica that gets connections, as a Deployment with maxUnavailable 0 waits for. */
async function addReplica(): Promise<ServiceProcess> {
  const replica = await startService({ kubeconfigFile, env: PRODUCTION });
  replicas.push(replica);
  balancer.add(replica);
  await becomes(() => balancer.uses(replica), true, SLOW_MS);
  return replica;
}

/** As a rolling update does it: the new one first, then the old one ends. */
async function replace(old: ServiceProcess): Promise<ServiceProcess> {
  const replacement = await addReplica();
  expect(await old.stop()).toBe(0);
  return replacement;
}

const leads = async ({ opsUrl }: ServiceProcess): Promise<boolean> =>
  (await (await fetch(`${opsUrl}/metrics`)).text()).includes('\nservice_leader 1\n');

const requestsAt = ({ opsUrl }: ServiceProcess): Promise<number> =>
  fetch(`${opsUrl}/metrics`)
    .then((answer) => answer.text())
    .then((text) =>
      [...text.matchAll(/^service_http_requests_total\{.* (\d+)$/gm)].reduce(
        (sum, [, count]) => sum + Number(count),
        0,
      ),
    );

it('replacing all replicas under load fails no request, and hands the Lease over', async () => {
  const first = await addReplica();
  await becomes(() => leads(first), true, SLOW_MS);
  const second = await addReplica();
  await kube.createNamespace('rolling');
  const secrets = secretsOf(await clientFor(first.url, ADMIN), 'rolling');
  for (let n = 0; n < PEOPLE; n++) await secrets.create(`load-${n}`);
  const load = await startLoad(balancer.url, secretsPath('rolling'), PEOPLE);
  await becomes(() => load.done() > 200, true, SLOW_MS);
  await becomes(async () => (await requestsAt(first)) > 0 && (await requestsAt(second)) > 0, true, SLOW_MS);

  const third = await replace(first);
  await becomes(async () => (await leads(second)) !== (await leads(third)), true, HANDOVER_MS);
  const fourth = await replace(second);
  await becomes(async () => (await leads(third)) !== (await leads(fourth)), true, HANDOVER_MS);

  const before = load.done();
  await becomes(() => load.done() > before + 200, true, SLOW_MS);
  await load.stop();
  expect(load.failures()).toEqual([]);
  expect(await requestsAt(third)).toBeGreaterThan(0);
  expect(await requestsAt(fourth)).toBeGreaterThan(0);
}, 240_000);
