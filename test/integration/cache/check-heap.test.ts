import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startDevCluster, type DevCluster } from '../../../hack/dev-cluster/dev-cluster.ts';
import { createKubeClient } from '../../harness/kube-client.ts';
import { run } from '../dev-cluster/program.ts';

/** More than one slice of the list takes. */
const MANY = 1_000;
const PLANTED = 'planted-value-';
const CHECK = new URL('check-process.ts', import.meta.url).pathname;

let folder: string;
let dev: DevCluster;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'service-heap-'));
  dev = await startDevCluster();
  writeFileSync(join(folder, 'kubeconfig'), dev.kubeconfig(), { mode: 0o600 });
  const kube = createKubeClient(join(folder, 'kubeconfig'));
  await kube.createNamespace('planted');
  for (let index = 0; index < MANY; index++) {
    const value = `${PLANTED}${index}-${'x'.repeat(1_500)}`;
    // As `kubectl apply` writes it: the whole Secret, with its values.
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({ value }) };
    const metadata = { name: `kept-name-${index}`, annotations };
    await kube.createSecret('planted', { metadata, data: { key: Buffer.from(value).toString('base64') } });
  }
  await kube.close();
});

afterEach(async () => {
  await dev.close();
  rmSync(folder, { recursive: true });
});

it('a heap snapshot during the check of a cache holds no value, nor what kubectl apply wrote into annotations', async () => {
  const during = join(folder, 'during.heapsnapshot');
  const pause = join(folder, 'pause.heapsnapshot');
  const args = [CHECK, join(folder, 'kubeconfig'), during, pause];
  const { out, err } = await run(process.execPath, args).finished;
  expect(err).toBe('');
  expect(JSON.parse(out)).toEqual({ outcome: 'different', differences: MANY, seen: 2 * MANY });
  for (const file of [during, pause]) {
    const heap = readFileSync(file, 'utf8');
    expect(heap).toContain('kept-name-0');
    expect(heap.includes(PLANTED), file).toBe(false);
    expect(heap.includes(Buffer.from(PLANTED).toString('base64').slice(0, 16)), file).toBe(false);
  }
}, 120_000);
