import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startDevCluster } from './dev-cluster/dev-cluster.ts';
import { openCluster } from './e2e/cluster-api.ts';
import { proveOnCluster, type OnClusterOptions } from './e2e/on-cluster.ts';
import { proveOnKind } from './e2e/on-kind.ts';
import { overlaySet } from './e2e/overlay.ts';
import { findKustomize, NO_KUBECTL } from './manifests/kustomize.ts';
import { spelledOut } from '../src/contract/printable.ts';

// `make e2e`: on the cluster of E2E_KUBECONFIG, or on a kind cluster of its own. Ends with 0 when everything holds, with
// 1 when something does not, and with 2 when it cannot be tried here.

/** Where `make run` and `npm run dev:cluster` put the development cluster's kubeconfig. */
const DEV_KUBECONFIG = '.dev/kubeconfig';

/** Leaves test/contract out, which other targets run, too. */
const isQuick = process.env['E2E_QUICK'] === 'true';

/** Much of it is what a cluster said of itself: nothing in it may steer the terminal. */
const say = (text: string): void => {
  console.log(text.split('\n').map(spelledOut).join('\n'));
};

/** An overlay that is proved in place of this checkout's: a folder, or a file of rendered objects. */
const overlay = process.env['E2E_OVERLAY'] ?? '';

async function answers(kubeconfigFile: string): Promise<boolean> {
  const cluster = openCluster(kubeconfigFile);
  try {
    return (await cluster.send('GET', '/version')).status < 300;
  } catch {
    return false; // nothing listens there
  } finally {
    await cluster.close();
  }
}

async function onGivenCluster(kubeconfigFile: string, options: OnClusterOptions): Promise<number> {
  const isThere = existsSync(kubeconfigFile);
  if (isThere && (await answers(kubeconfigFile))) return proveOnCluster(kubeconfigFile, options);
  if (resolve(kubeconfigFile) === resolve(DEV_KUBECONFIG)) return onEmbeddedCluster(options);
  say(`e2e: ${isThere ? 'no cluster answers at' : 'there is no file'} ${kubeconfigFile}`);
  return 2;
}

async function onEmbeddedCluster(options: OnClusterOptions): Promise<number> {
  say('No development cluster is running: one is started for this run.');
  const folder = mkdtempSync(join(tmpdir(), 'service-e2e-cluster-'));
  const cluster = await startDevCluster();
  try {
    const file = join(folder, 'kubeconfig');
    writeFileSync(file, cluster.kubeconfig(), { mode: 0o600 });
    return await proveOnCluster(file, options);
  } finally {
    await cluster.close();
    rmSync(folder, { recursive: true });
  }
}

// The suites are ended where they are started; here a signal must not keep the clean-up from happening.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    say(`e2e: ${signal}; cleaning up`);
  });
}

const given = process.env['E2E_KUBECONFIG'] ?? '';

async function prove(): Promise<number> {
  if (given === '' && overlay === '')
    return proveOnKind({ say, nodeImage: process.env['KIND_NODE_IMAGE'] ?? '' });
  if (given === '') return cannotRun('E2E_OVERLAY needs a cluster: set E2E_KUBECONFIG, too');
  if (overlay === '') return onGivenCluster(given, { say, isQuick });
  if (!existsSync(overlay)) return cannotRun(`there is no ${overlay}`);
  if (statSync(overlay).isDirectory() && findKustomize() === undefined) return cannotRun(NO_KUBECTL);
  return onGivenCluster(given, { say, isQuick, overlay: overlaySet(overlay) });
}

function cannotRun(why: string): number {
  say(`e2e: ${why}`);
  return 2;
}

try {
  process.exitCode = await prove();
} catch (error) {
  say(`e2e: ${error instanceof Error ? error.message : 'failed'}`);
  process.exitCode = 1;
}
