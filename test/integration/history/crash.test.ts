import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ADMIN, clientFor, type ApiClient } from '../../harness/api-client.ts';
import { secretsOf } from '../../harness/secrets-client.ts';
import { startService, type ServiceProcess } from '../../harness/service-process.ts';
import { createAccount, userOf } from './accounts.ts';
import { becomes, shortNames, historyOf, openReplicas, type Replicas } from '../replicas.ts';

// The service is killed after each of its calls to the cluster, and started again. What it left must be whole: the
// live Secret as it was or as it should become, nothing archived wrongly, and the user can finish by trying again.

const ACCOUNT = 'victim';

let ground: Replicas;
let folder: string;
let namespace: string;
let victim: ServiceProcess;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'service-test-'));
  ground = await openReplicas();
  writeFileSync(join(folder, 'kubeconfig'), await createAccount(ground.dev, ACCOUNT), { mode: 0o600 });
  // Holds the Lease, so that the victim's calls are those of its requests alone; and finds nothing to do.
  const leader = await ground.replica({ SERVICE_HISTORY_LIMIT: '1000' });
  await becomes(async () => (await leader.metrics()).includes('service_leader 1'), true);
  victim = await start();
});
afterAll(async () => {
  await victim.stop();
  await ground.close();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  namespace = await ground.namespace();
  await secretsOf(await client(), namespace).createWithHistory('a', 2);
});
afterEach(() => {
  ground.dev.faults.clear();
});

const start = (): Promise<ServiceProcess> =>
  startService({ kubeconfigFile: join(folder, 'kubeconfig'), env: { SERVICE_HISTORY_LIMIT: '2' } });
const client = (): Promise<ApiClient> => clientFor(victim.url, ADMIN);

/** Lets the service make `calls` calls for this work, kills it before it learns of the last one, and starts it again. */
async function crash(work: (api: ApiClient) => Promise<unknown>, calls: number): Promise<readonly string[]> {
  const before = ground.dev.requests.last;
  const match = { namespace, user: userOf(ACCOUNT) };
  const fault = ground.dev.faults.add({
    match,
    skip: calls - 1,
    times: 1,
    action: { type: 'hang', when: 'after' },
  });
  const ended = work(await client()).then(
    () => 'answered',
    () => 'broken',
  );
  await becomes(() => fault.hits, 1);
  victim.signal('SIGKILL');
  expect(await ended).toBe('broken');
  await victim.ended;
  fault.remove();
  const made = ground.dev.requests.list(before).filter(({ user, namespace: place }) => {
    return user === match.user && place === namespace;
  });
  victim = await start();
  return made.map(({ verb }) => verb);
}

const live = () => ground.kube.getSecret(namespace, 'a');
const textOf = (data: Record<string, string> | undefined) =>
  Buffer.from(data?.['key'] ?? '', 'base64').toString();

/** Versions and their values, newest first, as the API tells them. */
async function history(): Promise<readonly string[]> {
  const api = await client();
  const secrets = secretsOf(api, namespace);
  const versions = await secrets.versions('a');
  return Promise.all(
    versions.map(async (version) => {
      const { json } = await api.get(secrets.path('a', `/versions/${version}`));
      return `${version}: ${(json as { version: { data: { key: string } } }).version.data.key}`;
    }),
  );
}

const CHANGES = {
  update: {
    calls: ['get', 'create', 'delete', 'update', 'patch'],
    body: { data: { key: 'new' } },
    path: '',
    value: 'new',
  },
  restore: {
    calls: ['get', 'get', 'create', 'delete', 'update', 'patch'],
    body: { version: 2 },
    path: '/restore',
    value: 'value 2',
  },
} as const;

describe.each(['update', 'restore'] as const)('%s', (kind) => {
  const { calls, body, path, value } = CHANGES[kind];
  const change = async (api: ApiClient): Promise<unknown> => {
    const resourceVersion = (await live())?.metadata.resourceVersion;
    const target = secretsOf(api, namespace).path('a', path);
    const request = { resourceVersion, ...body };
    return kind === 'update' ? api.put(target, request) : api.post(target, request);
  };

  it.each(calls.map((verb, index) => [index + 1, verb] as const))(
    'killed after call %i (%s): the Secret is as it was or as it should be, and the user can finish',
    async (count) => {
      const before = await live();
      expect(await crash(change, count)).toEqual(calls.slice(0, count));
      const after = await live();
      if (count < calls.length - 1) {
        expect(after).toEqual(before);
        expect(await change(await client())).toMatchObject({ status: 200 });
      }
      expect((await live())?.metadata.annotations?.['service.io/version']).toBe('4');
      expect(textOf((await live())?.data)).toBe(value);
      expect(await history()).toEqual(['3: value 3', '2: value 2']);
    },
  );
});

describe('delete', () => {
  const each = ['get', 'delete', 'get'];
  const calls = ['get', 'list', ...each, ...each, 'list', 'get', 'delete', 'get'];
  const remove = async (api: ApiClient): Promise<unknown> => {
    const revision = (await live())?.metadata.resourceVersion ?? '';
    return api.delete(secretsOf(api, namespace).deletePath('a', revision));
  };

  it.each(calls.map((verb, index) => [index + 1, verb] as const))(
    'killed after call %i (%s): the Secret is as it was or gone with its history, and the user can finish',
    async (count) => {
      const before = await live();
      expect(await crash(remove, count)).toEqual(calls.slice(0, count));
      if (count < calls.length - 1) {
        expect(await live()).toEqual(before);
        expect(await remove(await client())).toMatchObject({ status: 200 });
      }
      expect(await live()).toBeUndefined();
      expect(shortNames(await historyOf(ground.kube, namespace))).toEqual([]);
    },
  );
});
