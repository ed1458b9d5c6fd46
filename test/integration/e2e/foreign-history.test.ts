import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startDevCluster, type DevCluster } from '../../../hack/dev-cluster/dev-cluster.ts';
import { openCluster } from '../../../hack/e2e/cluster-api.ts';
import { endangeredHistory, HISTORY_LIMIT } from '../../../hack/e2e/foreign-history.ts';
import { createKubeClient, type KubeClient } from '../../harness/kube-client.ts';
import { nativeSecret, snapshotNameOf } from '../../harness/secret-paths.ts';
import { startService } from '../../harness/service-process.ts';
import { withoutLease } from '../../harness/without-lease.ts';

// A cluster on which an installation keeps history already, with a limit of its own.

const COMMAND = new URL('../../../hack/e2e.ts', import.meta.url).pathname;

let folder: string;
let dev: DevCluster;
let kubeconfigFile: string;
let kube: KubeClient;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'service-test-'));
  dev = await startDevCluster();
  kubeconfigFile = join(folder, 'kubeconfig');
  writeFileSync(kubeconfigFile, dev.kubeconfig(), { mode: 0o600 });
  kube = createKubeClient(kubeconfigFile);
  await kube.createNamespace('theirs');
});
afterEach(async () => {
  await kube.close();
  await dev.close();
  rmSync(folder, { recursive: true });
});

async function archive(name: string, uid: string, snapshots: number): Promise<void> {
  for (let version = 1; version <= snapshots; version++) {
    const metadata = {
      labels: { 'service.io/kind': 'history', 'service.io/history-uid': uid },
      annotations: {
        'service.io/kind': 'history',
        'service.io/history-of': name,
        'service.io/history-uid': uid,
        'service.io/history-version': String(version),
        'service.io/history-resource-version': '1',
        'service.io/history-type': 'Opaque',
      },
    };
    await kube.createSecret('theirs', nativeSecret(snapshotNameOf(name, version, uid), {}, { metadata }));
  }
}

async function liveWith(name: string, snapshots: number): Promise<void> {
  const { metadata } = await kube.createSecret('theirs', nativeSecret(name));
  await archive(name, metadata.uid ?? '', snapshots);
}

const everyName = async () =>
  (await kube.listSecrets('theirs')).map(({ metadata }) => metadata.name).toSorted();

/** The names of all objects of a kind in the cluster. */
async function namesOf(path: string): Promise<readonly string[]> {
  const cluster = openCluster(kubeconfigFile);
  const { items } = (await cluster.insist('GET', path)) as { items: { metadata: { name: string } }[] };
  await cluster.close();
  return items.map(({ metadata }) => metadata.name);
}

describe('make e2e on a cluster with history of others', () => {
  it('ends with 2 and creates nothing when the run would remove some of it', async () => {
    await liveWith('long', HISTORY_LIMIT + 1);
    const before = [await everyName(), await namesOf('/api/v1/namespaces')];
    const env = { ...process.env, E2E_KUBECONFIG: kubeconfigFile };
    const command = spawn(process.execPath, [COMMAND], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(command, 'close');
    expect(await text(command.stdout)).toMatch(
      /^e2e: an installation keeps its history .* theirs\/long has 11\. .*\n$/,
    );
    expect(await ended).toEqual([2, null]);
    expect([await everyName(), await namesOf('/api/v1/namespaces')]).toEqual(before);
  });

  it('goes on where each Secret has no more than a run keeps', async () => {
    await liveWith('full', HISTORY_LIMIT);
    await liveWith('another', HISTORY_LIMIT);
    expect(await endangeredHistory(kubeconfigFile)).toEqual([]);
  });

  it('goes on where the Secret is gone, or is another one by now: such history is left alone', async () => {
    await archive('gone', 'uid-of-gone', HISTORY_LIMIT + 1);
    await kube.createSecret('theirs', nativeSecret('anew'));
    await archive('anew', 'uid-of-its-predecessor', HISTORY_LIMIT + 1);
    expect(await endangeredHistory(kubeconfigFile)).toEqual([]);
  });

  it('looks at every page', async () => {
    for (let one = 0; one < 50; one++) await archive(`gone-${one}`, `uid-${one}`, 10);
    await liveWith('last', HISTORY_LIMIT + 1);
    expect(await endangeredHistory(kubeconfigFile)).toEqual([
      { namespace: 'theirs', name: 'last', snapshots: HISTORY_LIMIT + 1 },
    ]);
  });
});

describe('a service of the tests on a cluster from outside', () => {
  it.each([
    ['the whole cluster', {}],
    ['single namespaces', { SERVICE_NAMESPACES: 'theirs,default' }],
  ])('that looks after %s has no Lease and removes no history', async (_what, scope) => {
    await liveWith('long', 3);
    const before = await everyName();
    const service = await startService({
      kubeconfigFile: withoutLease(kubeconfigFile, folder),
      env: { SERVICE_HISTORY_LIMIT: '1', ...scope },
    });
    try {
      await vi.waitFor(() => {
        const refused = { event: expect.stringContaining('cannot acquire lease') as string };
        expect(service.logLines()).toContainEqual(expect.objectContaining({ ...refused, code: 'notFound' }));
      }, 20_000);
      expect(await (await fetch(`${service.opsUrl}/metrics`)).text()).toMatch(/^service_leader 0$/m);
    } finally {
      await service.stop();
    }
    expect(await everyName()).toEqual(before);
    expect(await namesOf('/apis/coordination.k8s.io/v1/leases')).toEqual([]);
  });
});
