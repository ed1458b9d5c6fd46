import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startDevCluster } from './dev-cluster/dev-cluster.ts';
import { openCluster } from './e2e/cluster-api.ts';
import { proveOnCluster } from './e2e/on-cluster.ts';
import { proveOnKind } from './e2e/on-kind.ts';
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

async function onGivenCluster(kubeconfigFile: string): Promise<number> {
  const isThere = existsSync(kubeconfigFile);
  if (isThere && (await answers(kubeconfigFile))) return proveOnCluster(kubeconfigFile, { say, isQuick });
  if (resolve(kubeconfigFile) === resolve(DEV_KUBECONFIG)) return onEmbeddedCluster();
  say(`e2e: ${isThere ? 'no cluster answers at' : 'there is no file'} ${kubeconfigFile}`);
  return 2;
}

async function onEmbeddedCluster(): Promise<number> {
  say('No development cluster is running: one is started for this run.');
  const folder = mkdtempSync(join(tmpdir(), 'service-e2e-cluster-'));
  const cluster = await startDevCluster();
  try {
    const file = join(folder, 'kubeconfig');
    writeFileSync(file, cluster.kubeconfig(), { mode: 0o600 });
    return await proveOnCluster(file, { say, isQuick });
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
try {
  process.exitCode = given === '' ? await proveOnKind({ say }) : await onGivenCluster(given);
} catch (error) {
  say(`e2e: ${error instanceof Error ? error.message : 'failed'}`);
  process.exitCode = 1;
}
