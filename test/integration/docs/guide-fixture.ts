import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDevCluster } from '../../../hack/dev-cluster/dev-cluster.ts';
import { openCluster, type ClusterApi } from '../../../hack/e2e/cluster-api.ts';
import { debianProgram } from '../../harness/debian-program.ts';
import { run, type Finished } from '../../harness/program.ts';

export const ROOT = resolve(import.meta.dirname, '../../..');
/** The namespace and the name that the guides install with. */
export const HOME = 'secrets-management';
export const NAME = 'secrets-management-service';

/** A cluster, and a folder in which an operator's shell has the files that a guide's commands read. */
export interface GuideFixture {
  readonly folder: string;
  readonly cluster: ClusterApi;
  /** Runs a script as the operator's shell would, by default with a stop at the first failure. */
  shell(script: string, how?: { readonly options?: string; readonly input?: string }): Promise<Finished>;
  close(): Promise<void>;
}

interface GuideSetUp {
  /** The program that stands before kubectl on the PATH: none of these clusters has nodes. */
  readonly kubectl: string;
  /** What the folder has of this checkout. */
  readonly parts: readonly string[];
  /** Created before the guide begins, and removed from a given cluster after it. */
  readonly namespaces: readonly string[];
  readonly env?: (folder: string) => Readonly<Record<string, string>>;
}

/** On a cluster of its own, or on that of TEST_KUBECONFIG, which must not have what the guides create. */
export async function openGuideFixture({
  kubectl,
  parts,
  namespaces,
  env,
}: GuideSetUp): Promise<GuideFixture> {
  const folder = mkdtempSync(join(tmpdir(), 'service-test-'));
  for (const part of parts) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  const given = process.env['TEST_KUBECONFIG'] ?? '';
  const dev = given === '' ? await startDevCluster() : undefined;
  writeFileSync(join(folder, 'kubeconfig'), dev?.kubeconfig() ?? readFileSync(given), { mode: 0o600 });
  const cluster = openCluster(join(folder, 'kubeconfig'));
  if ((await cluster.send('GET', `/api/v1/namespaces/${HOME}`)).status !== 404)
    throw new Error(`the cluster of TEST_KUBECONFIG has a namespace ${HOME}; the guides would change it`);
  for (const name of namespaces) await cluster.insist('POST', '/api/v1/namespaces', { metadata: { name } });
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/kubectl'), kubectl, { mode: 0o755 });
  const real = (await run('sh', ['-c', 'command -v kubectl']).finished).out.trim();
  const jq = debianProgram('jq');
  const programs = [
    join(folder, 'bin'),
    dirname(process.execPath),
    dirname(jq.path),
    process.env['PATH'] ?? '',
  ];
  const environment = {
    ...jq.env,
    PATH: programs.join(delimiter),
    REAL_KUBECTL: real,
    KUBECONFIG: join(folder, 'kubeconfig'),
    KUBECACHEDIR: join(folder, 'cache'),
    ...env?.(folder),
  };
  return {
    folder,
    cluster,
    shell: (script, { options = 'set -euo pipefail', input = '' } = {}) =>
      run('bash', ['-c', `cd ${folder}\n${options}\n${script}`], { input, env: environment }).finished,
    close: async () => {
      if (dev === undefined) await removeFrom(cluster, [HOME, ...namespaces]);
      await cluster.close();
      await dev?.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function removeFrom(cluster: ClusterApi, namespaces: readonly string[]): Promise<void> {
  const ofRoles = '/apis/rbac.authorization.k8s.io/v1';
  const ours = `labelSelector=${encodeURIComponent(`app.kubernetes.io/part-of=${NAME}`)}`;
  for (const kind of ['clusterrolebindings', 'clusterroles'])
    await cluster.send('DELETE', `${ofRoles}/${kind}?${ours}`);
  const paths = namespaces.map((name) => `/api/v1/namespaces/${name}`);
  for (const path of paths) await cluster.send('DELETE', path);
  // The next guide begins with its own. On a cluster without controllers they stay, and it says so.
  for (const path of paths)
    for (let tries = 0; tries < 60 && (await cluster.send('GET', path)).status !== 404; tries += 1)
      await sleep(1000);
}
