import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startDevCluster, type DevCluster } from '../../../hack/dev-cluster/dev-cluster.ts';
import { ADMIN, clientFor } from '../../harness/api-client.ts';
import { errorOf, secretOf } from '../../harness/answers.ts';
import { interceptCluster } from '../../harness/interception.ts';
import { createKubeClient, type KubeClient } from '../../harness/kube-client.ts';
import { secretsPath } from '../../harness/secret-paths.ts';
import { startService, TEST_SESSION_SECRET, type ServiceProcess } from '../../harness/service-process.ts';
import { runToEnd, type Ending } from '../lifecycle/run-to-end.ts';
import { becomes } from '../replicas.ts';

const RECORD = 'secrets-management-service/annotation-prefix';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases';

interface Lease {
  readonly metadata: { readonly name: string; annotations?: Record<string, string> };
  readonly spec: { readonly holderIdentity: string; readonly renewTime: string };
}

let folder: string;
let dev: DevCluster;
let kubeconfigFile: string;
let kube: KubeClient;
let services: ServiceProcess[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'service-test-'));
  dev = await startDevCluster({ port: 0 });
  kubeconfigFile = join(folder, 'kubeconfig');
  writeFileSync(kubeconfigFile, dev.kubeconfig(), { mode: 0o600 });
  kube = createKubeClient(kubeconfigFile);
  await kube.createNamespace('team-a');
  services = [];
});
afterEach(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await kube.close();
  await dev.close();
  rmSync(folder, { recursive: true });
});

async function start(
  prefix: string,
  waitFor: 'ready' | 'live' = 'ready',
  more: Readonly<Record<string, string>> = {},
): Promise<ServiceProcess> {
  const env = { SERVICE_ANNOTATION_PREFIX: prefix, ...more };
  const service = await startService({ kubeconfigFile, env, waitFor });
  services.push(service);
  return service;
}

/** A process that is expected to end by itself. */
const startInVain = (prefix: string, more: Readonly<Record<string, string>> = {}): Promise<Ending> =>
  runToEnd({
    PORT: '0',
    OPS_PORT: '0',
    KUBECONFIG: kubeconfigFile,
    SESSION_SECRET: TEST_SESSION_SECRET,
    SERVICE_ANNOTATION_PREFIX: prefix,
    ...more,
  });

async function cluster(method: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${dev.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${dev.adminToken}`,
      'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(answer.ok).toBe(true);
  return answer.json();
}

async function lease(): Promise<Lease> {
  const { items } = (await cluster('GET', LEASES)) as { items: Lease[] };
  const [only, ...more] = items;
  if (only === undefined || more.length > 0) throw new Error('there should be one Lease');
  return only;
}

const record = async () => (await lease()).metadata.annotations?.[RECORD];
const setRecord = async (value: string | null) => {
  const { metadata } = await lease();
  await cluster('PATCH', `${LEASES}/${metadata.name}`, { metadata: { annotations: { [RECORD]: value } } });
};
/** Waits until the holder has renewed the Lease so many times. */
async function renewals(count: number): Promise<void> {
  for (let one = 0; one < count; one++) {
    const { spec } = await lease();
    await becomes(async () => (await lease()).spec.renewTime !== spec.renewTime, true);
  }
}

it('the first start records its prefix; another one then refuses to start and says how to go on', async () => {
  await start('one.example.com');
  await renewals(2);
  expect(await record()).toBe('one.example.com');
  const between = await interceptCluster(dev.url);
  const config = dev.kubeconfig().replaceAll(dev.url, between.url);
  const throughProxy = join(folder, 'kubeconfig-through-proxy');
  writeFileSync(throughProxy, config, { mode: 0o600 });
  const ending = await startInVain('other.example.com', { KUBECONFIG: throughProxy });
  await between.close();
  const { name } = (await lease()).metadata;
  const command = `kubectl -n default annotate lease ${name} --overwrite ${RECORD}=other.example.com`;
  expect(ending.code).toBe(1);
  expect(ending.stderr).toContain('Set SERVICE_ANNOTATION_PREFIX=one.example.com');
  expect(ending.stderr).toContain(command);
  expect(ending.stderr.trim().split('\n')).toHaveLength(1);
  // Nothing but the Lease of the running replica was read, and nothing was written.
  const requests = between.passed.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(requests)).toEqual(new Set([`GET ${LEASES}/${name}`]));
  expect(await record()).toBe('one.example.com');

  await setRecord('other.example.com'); // as the command does
  await start('other.example.com');
  expect((await startInVain('one.example.com')).code).toBe(1);
});

it('another scope in the same namespace starts under the same prefix alone', async () => {
  const first = await start('one.example.com', 'ready', { SERVICE_NAMESPACES: 'team-a' });
  await becomes(() => first.logLines().some(({ event }) => event === 'acquired lease'), true);
  await first.stop();
  const both = { SERVICE_NAMESPACES: 'team-a,team-b' };
  const ending = await startInVain('other.example.com', both);
  expect(ending.code).toBe(1);
  expect(ending.stderr).toContain('records one.example.com');
  await start('one.example.com', 'ready', both);
});

it('of two that start at the same time under different prefixes, one runs', async () => {
  const prefixes = ['one.example.com', 'other.example.com'];
  const outcomes = await Promise.allSettled(prefixes.map((prefix) => start(prefix)));
  const running = prefixes.filter((_prefix, index) => outcomes[index]?.status === 'fulfilled');
  expect(running).toEqual([await record()]);
});

it('a Lease of an earlier release gets the record, and its holder keeps both', async () => {
  await start('one.example.com');
  await renewals(1);
  await setRecord(null);
  const { spec } = await lease();
  await start('one.example.com');
  expect(await record()).toBe('one.example.com');
  await renewals(2);
  expect(await record()).toBe('one.example.com');
  expect((await lease()).spec.holderIdentity).toBe(spec.holderIdentity);
});

it('while the cluster cannot be reached it is live, not ready and serves no Secret; another prefix then ends it', async () => {
  const first = await start('one.example.com');
  await first.stop();
  const down = dev.faults.add({ match: { resource: 'leases' }, action: { type: 'cut' } });
  const same = await start('one.example.com', 'live');
  const other = await start('other.example.com', 'live');
  for (const { url, opsUrl } of [same, other]) {
    const readyz = await fetch(`${opsUrl}/readyz`);
    expect([readyz.status, await readyz.text()]).toEqual([503, expect.stringContaining('prefix')]);
    const admin = await clientFor(url, ADMIN);
    for (const answer of [
      await admin.get(secretsPath('team-a')),
      await admin.get(secretsPath('team-a', 'a')),
      await admin.post(secretsPath('team-a'), { name: 'a' }),
    ]) {
      errorOf(answer, 503);
      expect(answer.headers.get('retry-after')).toBe('1');
    }
  }
  expect(await kube.listSecrets('team-a')).toEqual([]);
  down.remove();
  expect(await other.ended).toBe(1);
  expect(other.output()).toContain('Set SERVICE_ANNOTATION_PREFIX=one.example.com');
  await becomes(async () => (await fetch(`${same.opsUrl}/readyz`)).status, 200);
  secretOf(await (await clientFor(same.url, ADMIN)).post(secretsPath('team-a'), { name: 'a' }), 201);
});

it('without the right to the Lease it runs unchecked, and says so once', async () => {
  const denied = dev.faults.add({ match: { resource: 'leases' }, action: { type: 'status', status: 403 } });
  const service = await start('one.example.com');
  secretOf(await (await clientFor(service.url, ADMIN)).post(secretsPath('team-a'), { name: 'a' }), 201);
  const lines = service
    .logLines()
    .filter(({ event }) => String(event).startsWith('cannot check the annotation prefix'));
  expect(lines).toEqual([expect.objectContaining({ level: 'warn', code: 'rbacForbidden' })]);
  denied.remove();
});
