import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startDevCluster, type DevCluster } from '../../../hack/dev-cluster/dev-cluster.ts';
import { createKubeClient, type KubeClient } from '../../harness/kube-client.ts';
import { snapshotDraft, withMetadata } from '../../../src/history/snapshot/snapshot.ts';
import { loadCredentials } from '../../../src/cluster/credentials/credentials.ts';
import { codec } from '../../fakes/annotations.ts';
import { clusterWithLive } from '../../unit/history/live-secret.ts';
import { createWorkloadsClient } from '../../harness/workloads.ts';
import { run } from '../../harness/program.ts';

const MANY = 300;
const PLANTED = 'planted-value-';
const NAMESPACE = 'planted';

let folder: string;
let dev: DevCluster;
let kube: KubeClient;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'service-heap-'));
  dev = await startDevCluster();
  writeFileSync(join(folder, 'kubeconfig'), dev.kubeconfig(), { mode: 0o600 });
  kube = createKubeClient(join(folder, 'kubeconfig'));
  await kube.createNamespace(NAMESPACE);
  for (let index = 0; index < MANY; index++) await kube.createSecret(NAMESPACE, planted(index));
});

afterEach(async () => {
  await kube.close();
  await dev.close();
  rmSync(folder, { recursive: true });
});

/** With a value, and with the annotation that `kubectl apply` writes: the whole Secret, values included. */
function planted(index: number, more = '') {
  const value = `${PLANTED}${index}-${more}${'x'.repeat(1_500)}`;
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({ value }) };
  const metadata = { name: `kept-name-${index}`, annotations };
  // Text, and what is none because of a control character.
  const data = { key: value, binary: `\u0001${value}` };
  const encoded = Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
  return { metadata, data: Object.fromEntries(encoded) as Record<string, string> };
}

function expectNoValue(moment: string): void {
  const heap = readFileSync(join(folder, `${moment}.heapsnapshot`), 'utf8');
  // The snapshot does hold what is kept, so the search would find a value.
  expect(heap).toContain('kept-name-0');
  const encoded = Buffer.from(PLANTED).toString('base64').slice(0, 16);
  // V8 writes the first 1,024 characters of a text: of a whole page, or frame, this.
  const frames = ['{\\"type\\":\\"ADDED\\"', '{\\"kind\\":\\"SecretList\\"'];
  const found = [PLANTED, encoded, ...frames].filter((text) => heap.includes(text));
  expect(found, moment).toEqual([]);
}

/** Snapshots of the first Secret, with what the last one of a deleted Secret has in addition. */
async function createSnapshots(): Promise<void> {
  const first = await kube.getSecret(NAMESPACE, 'kept-name-0');
  const [name, uid] = [first?.metadata.name ?? '', first?.metadata.uid ?? ''];
  const { live } = clusterWithLive({ name });
  const final = codec.final(live, { by: 'a@example.com', at: '2026-01-01T00:00:00Z' });
  for (let version = 1; version <= MANY; version++) {
    const archived = { ...live, namespace: NAMESPACE, uid, resourceVersion: String(version) };
    const draft = withMetadata(snapshotDraft(archived, version, codec), final);
    const [labels, annotations] = [draft.labels, draft.annotations].map((map) => Object.fromEntries(map));
    const metadata = { name: draft.name, labels, annotations };
    await kube.createSecret(NAMESPACE, { ...planted(version), metadata });
  }
}

async function createWorkloads(): Promise<void> {
  const workloads = createWorkloadsClient(
    loadCredentials({ kubeconfig: join(folder, 'kubeconfig') }),
    NAMESPACE,
  );
  for (let index = 0; index < MANY; index++) {
    const env = [{ name: 'PASSWORD', value: `${PLANTED}${index}` }];
    const podSpec = { containers: [{ name: 'main', image: 'registry.example.com/main:1', env }] };
    await workloads.create('Deployment', `kept-name-${index}`, podSpec);
  }
  await workloads.close();
}

it('a heap snapshot during the check of a cache holds no value, nor what kubectl apply wrote into annotations', async () => {
  const files = ['during', 'pause'].map((moment) => join(folder, `${moment}.heapsnapshot`));
  const script = join(import.meta.dirname, 'check-process.ts');
  const check = run(process.execPath, [script, join(folder, 'kubeconfig'), ...files]);
  const { out, err } = await check.finished;
  expect(err).toBe('');
  expect(JSON.parse(out)).toEqual({
    outcome: 'different',
    differences: MANY,
    seen: 2 * MANY,
    processed: expect.toSatisfy((count) => count > 0 && count < MANY) as number,
  });
  expectNoValue('during');
  expectNoValue('pause');
}, 300_000);

it('nor does one within a list that arrives page by page, within the list after it, or after an event', async () => {
  const script = join(import.meta.dirname, 'reflector-process.ts');
  const reflector = run(process.execPath, [script, join(folder, 'kubeconfig'), folder]);
  await reflector.seen(/listed/);
  await kube.replaceSecret(NAMESPACE, planted(1, 'changed'));
  const { out, err } = await reflector.finished;
  expect(err).toBe('');
  const within = expect.toSatisfy((count) => count > 0 && count < MANY) as number;
  const result: unknown = JSON.parse(out.replace('listed', ''));
  expect(result).toEqual({ objects: MANY, withinList: within, withinRelist: within });
  for (const moment of ['list', 'relist', 'event']) expectNoValue(moment);
}, 300_000);

it('nor does one within a live list of Secrets, of history, of deleted Secrets, of numbers, or of workloads', async () => {
  await createSnapshots();
  await createWorkloads();
  const script = join(import.meta.dirname, 'inventories-process.ts');
  const kubeconfig = join(folder, 'kubeconfig');
  const { out, err } = await run(process.execPath, [script, kubeconfig, folder, NAMESPACE]).finished;
  expect(err).toBe('');
  const processed = Object.entries(JSON.parse(out) as Readonly<Record<string, number>>);
  expect(processed).toHaveLength(6);
  for (const [moment, count] of processed) {
    expect(count > 0 && count < MANY, moment).toBe(true);
    expectNoValue(moment);
  }
}, 300_000);
