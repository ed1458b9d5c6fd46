import { expect } from 'vitest';
import { SERVICE_USER } from '../../../hack/demo/service-account.ts';
import { parseCredentials } from '../../../src/cluster/credentials/credentials.ts';
import { ADMIN, DEVELOPER_A, type ApiClient } from '../../harness/api-client.ts';
import { jsonOf } from '../../harness/answers.ts';
import type { InProcessStack } from '../../harness/in-process-stack.ts';
import { secretsOf, type SecretsClient } from '../../harness/secrets-client.ts';
import { createWorkloadsClient, usingEnv, WORKLOAD_KINDS } from '../../harness/workloads.ts';
import { becomes, loseLabels } from '../replicas.ts';
import type { Workloads } from './fixture.ts';

/** One namespace, and those who work in it. */
export interface Place {
  readonly namespace: string;
  readonly admin: ApiClient;
  readonly developer: ApiClient;
  readonly secrets: SecretsClient;
}

/** A namespace with a policy, where a developer works. */
export async function placeIn(stack: InProcessStack, namespace: string): Promise<Place> {
  await stack.kube.setPolicy(namespace, { allowedGroups: '["team-a"]' });
  const [admin, developer] = await Promise.all([stack.client(ADMIN), stack.client(DEVELOPER_A)]);
  return { namespace, admin, developer, secrets: secretsOf(developer, namespace) };
}

/** Every operation of the API in one namespace, and everything that the reconciler does there. */
export async function doEverything(stack: InProcessStack, place: Place, workloads: Workloads): Promise<void> {
  const { developer, admin, secrets } = place;
  for (const person of [developer, admin]) expect((await person.get('/api/namespaces')).status).toBe(200);
  expect((await developer.get('/api/search?q=a')).status).toBe(200);
  expect((await developer.get('/api/expiring')).status).toBe(200);
  expect((await developer.get(`${secrets.path()}?limit=1`)).status).toBe(200);
  await secrets.createWithHistory('a', 4);
  expect((await developer.get(secrets.path())).status).toBe(200);
  expect((await developer.get(secrets.path('a', '/access'))).status).toBe(200);
  const [version] = await secrets.versions('a');
  expect((await developer.get(secrets.path('a', `/versions/${version}`))).status).toBe(200);
  const { resourceVersion } = await secrets.read('a');
  const restored = await developer.post(secrets.path('a', '/restore'), { resourceVersion, version });
  expect(restored.status).toBe(200);
  if (workloads !== 'none') await consumers(stack, place);
  if (workloads === 'restarted') await restart(place);
  await loseAndRegainLabels(stack, place);
  await leaveOrphans(stack, place);
  const { resourceVersion: last } = await secrets.read('a');
  expect((await developer.delete(secrets.deletePath('a', last))).status).toBe(200);
  await deleteAndRestore(stack, place);
}

/** A deletion that archives, a restore of it, and its permanent removal. */
async function deleteAndRestore({ kube, dev }: InProcessStack, place: Place): Promise<void> {
  const { namespace, developer, secrets } = place;
  await secrets.createWithHistory('archived', 1);
  await kube.patchSecret(namespace, 'archived', { metadata: { finalizers: ['example.com/hold'] } });
  const { resourceVersion } = await secrets.read('archived');
  const path = secrets.deletePath('archived', resourceVersion, '&keepHistory=true&archive=true');
  const { uid } = jsonOf(await developer.delete(path), 202) as { uid: string };
  // Orphans expire at once here, once the reconciler has dated them.
  const undated = dev.faults.add({
    match: { user: SERVICE_USER, namespace, verb: 'patch', resource: 'secrets' },
    action: { type: 'status', status: 500 },
  });
  await kube.removeFinalizers(namespace);
  const deleted = `/api/namespaces/${namespace}/deleted`;
  expect(jsonOf(await developer.get(deleted), 200)).toMatchObject({ deleted: [{ uid }] });
  jsonOf(await developer.post(`${deleted}/${uid}/restore`, { name: 'restored' }), 201);
  jsonOf(await developer.delete(`${deleted}/${uid}`), 200);
  undated.remove();
}

/** One workload of each kind that uses the Secret `a`. */
export async function addWorkloads({ dev }: InProcessStack, namespace: string): Promise<void> {
  const workloads = createWorkloadsClient(parseCredentials(dev.kubeconfig()), namespace);
  for (const kind of WORKLOAD_KINDS) await workloads.create(kind, kind.toLowerCase(), usingEnv('a'));
  await workloads.close();
}

async function consumers(stack: InProcessStack, { namespace, developer, secrets }: Place): Promise<void> {
  await addWorkloads(stack, namespace);
  const { json } = await developer.get(secrets.path('a', '/consumers'));
  expect((json as { consumers: object[] }).consumers).toHaveLength(WORKLOAD_KINDS.length);
}

async function restart({ developer, secrets }: Place): Promise<void> {
  const { json } = await developer.post(secrets.path('a', '/restart'), {});
  expect(json).toMatchObject({ restarted: [{}, {}, {}], failed: [] });
}

async function snapshots({ kube }: InProcessStack, namespace: string) {
  const objects = await kube.listSecrets(namespace);
  return objects.filter(({ metadata }) => metadata.annotations?.['service.io/kind'] === 'history');
}

async function loseAndRegainLabels(stack: InProcessStack, { namespace }: Place): Promise<void> {
  const [one] = await snapshots(stack, namespace);
  if (one === undefined) throw new Error('no snapshot');
  await loseLabels(stack.kube, namespace, one.metadata.name);
  const labels = async () => (await stack.kube.getSecret(namespace, one.metadata.name))?.metadata.labels;
  await becomes(labels, one.metadata.labels, 20_000);
}

/** Snapshots whose Secret is gone, for the reconciler to remove. */
async function leaveOrphans(stack: InProcessStack, { namespace, developer, secrets }: Place): Promise<void> {
  await secrets.createWithHistory('orphan', 1);
  const { resourceVersion } = await secrets.read('orphan');
  const path = secrets.deletePath('orphan', resourceVersion, '&keepHistory=true');
  expect((await developer.delete(path)).status).toBe(200);
  const orphans = async () =>
    (await snapshots(stack, namespace)).filter(({ metadata }) => metadata.name.startsWith('orphan.'));
  await becomes(orphans, [], 20_000);
}
