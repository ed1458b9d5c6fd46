import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDevCluster } from '../../../hack/dev-cluster/dev-cluster.ts';
import { ADMIN, clientFor, type ApiAnswer, type ApiClient } from '../../harness/api-client.ts';
import { createKubeClient, type KubeClient } from '../../harness/kube-client.ts';
import { secretsPath } from '../../harness/secret-paths.ts';
import { startService } from '../../harness/service-process.ts';
import {
  BROKEN_OFF,
  GOLDEN_LIMIT,
  GOLDEN_NAMESPACE as NAMESPACE,
  NATIVE_RECIPES,
  ORPHANED_AND_RECREATED,
  ORPHANED_WITH_TIME,
  SERVICE_RECIPES,
  WITHOUT_LABELS,
} from './golden-recipe.ts';
import { recordedState } from './recorded-state.ts';

// Records golden files from the build of a released version:
//   node test/integration/upgrade/record-golden.ts <that build's dist/main.js> test/data/golden/<version>
// They are recorded once for each version, and never again: what a version wrote does not change.

const [entry, folder] = process.argv.slice(2);
if (entry === undefined || folder === undefined) {
  console.error('usage: node test/integration/upgrade/record-golden.ts <dist/main.js> <folder>');
  process.exit(2);
}

const path = (name?: string, below?: string): string => secretsPath(NAMESPACE, name, below);

function insist({ status, json, text }: ApiAnswer, wanted: number): unknown {
  if (status !== wanted) throw new Error(`expected ${wanted}, got ${status}: ${text}`);
  return json;
}

const revisionOf = async (api: ApiClient, name: string): Promise<string> =>
  (insist(await api.get(path(name)), 200) as { secret: { resourceVersion: string } }).secret.resourceVersion;

async function update(api: ApiClient, name: string, body: object, status = 200): Promise<void> {
  insist(await api.put(path(name), { resourceVersion: await revisionOf(api, name), ...body }), status);
}

async function create(api: ApiClient, name: string, body: object): Promise<void> {
  insist(await api.post(path(), { name, ...body }), 201);
}

async function createWithHistory(api: ApiClient, name: string): Promise<void> {
  await create(api, name, { data: { value: `${name} 1` } });
  for (const number of [2, 3]) await update(api, name, { data: { value: `${name} ${number}` } });
}

const workFolder = mkdtempSync(join(tmpdir(), 'record-golden-'));
const stateFile = join(workFolder, 'state');
const kubeconfigFile = join(workFolder, 'kubeconfig');
const dev = await startDevCluster({ stateFile });
writeFileSync(kubeconfigFile, dev.kubeconfig(), { mode: 0o600 });
const kube = createKubeClient(kubeconfigFile);

async function withService(
  more: Readonly<Record<string, string>>,
  use: (api: ApiClient) => Promise<void>,
): Promise<void> {
  const env = { SERVICE_HISTORY_LIMIT: String(GOLDEN_LIMIT), LOG_LEVEL: 'warn', ...more };
  const service = await startService({ kubeconfigFile, env, entry: entry ?? '' });
  try {
    await use(await clientFor(service.url, ADMIN));
  } finally {
    await service.stop();
  }
}

/** An orphan that the reconciler has annotated with the time since when it is one. */
async function recordOrphanWithTime(api: ApiClient, cluster: KubeClient): Promise<void> {
  await createWithHistory(api, ORPHANED_WITH_TIME);
  const revision = await revisionOf(api, ORPHANED_WITH_TIME);
  const query = `?resourceVersion=${encodeURIComponent(revision)}&keepHistory=true`;
  insist(await api.delete(`${path(ORPHANED_WITH_TIME)}${query}`), 200);
  for (;;) {
    const objects = await cluster.listSecrets(NAMESPACE);
    const times = objects.map(({ metadata }) => metadata.annotations?.['service.io/history-orphaned-at']);
    if (times.every((time) => time !== undefined)) return;
    await sleep(50);
  }
}

async function recordSecrets(api: ApiClient, cluster: KubeClient): Promise<void> {
  for (const recipe of SERVICE_RECIPES) await create(api, recipe.name, recipe.create);
  for (const { name, create: object } of NATIVE_RECIPES) {
    const { metadata } = object as { readonly metadata?: object };
    await cluster.createSecret(NAMESPACE, { ...object, metadata: { ...metadata, name } });
  }
  for (const { name, updates } of [...SERVICE_RECIPES, ...NATIVE_RECIPES])
    for (const body of updates) await update(api, name, body);
  await createWithHistory(api, WITHOUT_LABELS);
  await createWithHistory(api, ORPHANED_AND_RECREATED);
  await cluster.deleteSecret(NAMESPACE, ORPHANED_AND_RECREATED);
  await create(api, ORPHANED_AND_RECREATED, { data: { value: 'recreated 1' } });
  await update(api, ORPHANED_AND_RECREATED, { data: { value: 'recreated 2' } });
  await createWithHistory(api, BROKEN_OFF);
  const match = { verb: 'update', resource: 'secrets', name: BROKEN_OFF };
  const fault = dev.faults.add({ match, action: { type: 'status', status: 409 } });
  await update(api, BROKEN_OFF, { data: { value: 'never live' } }, 409);
  fault.remove();
}

/** What the version itself answers about all of it. */
async function recordAnswers(api: ApiClient): Promise<object> {
  const list = insist(await api.get(path()), 200) as { secrets: { name: string }[] };
  const secrets: object[] = [];
  for (const { name } of list.secrets) {
    const versions = insist(await api.get(path(name, 'versions')), 200) as {
      versions: { version: number }[];
    };
    const each: unknown[] = [];
    for (const { version } of versions.versions)
      each.push(insist(await api.get(path(name, `versions/${version}`)), 200));
    secrets.push({ name, detail: insist(await api.get(path(name)), 200), versions, each });
  }
  return { list, secrets };
}

let answers: object = {};
try {
  await kube.createNamespace(NAMESPACE);
  await kube.createServiceAccount(NAMESPACE, 'builder');
  await withService({ SERVICE_HISTORY_ORPHAN_TTL: '30d' }, (api) => recordOrphanWithTime(api, kube));
  await withService({}, async (api) => {
    await recordSecrets(api, kube);
    answers = await recordAnswers(api);
  });
  const objects = await kube.listSecrets(NAMESPACE);
  const stripped = objects.find(({ metadata }) => metadata.name.startsWith(`${WITHOUT_LABELS}.v1.`));
  await kube.patchSecret(NAMESPACE, stripped?.metadata.name ?? '', { metadata: { labels: null } });
} finally {
  await kube.close();
  await dev.close();
}

const { revision, objects } = recordedState(stateFile);
mkdirSync(folder, { recursive: true });
const write = (name: string, value: object): void => {
  writeFileSync(join(folder, name), `${JSON.stringify(value, undefined, 1)}\n`);
};
write('objects.json', { revision, objects });
write('answers.json', answers);
rmSync(workFolder, { recursive: true });
console.log(`${objects.length} objects up to revision ${revision}`);
