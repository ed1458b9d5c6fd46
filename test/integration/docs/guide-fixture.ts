import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { startDevCluster } from '../../../hack/dev-cluster/dev-cluster.ts';
import { openCluster, type ClusterApi } from '../../../hack/e2e/cluster-api.ts';
import { debianProgram } from '../../harness/debian-program.ts';
import { run, type Finished } from '../../harness/program.ts';
import { eventually } from '../../harness/eventually.ts';

export const ROOT = resolve(import.meta.dirname, '../../..');
/** The namespace and the name that the guides install with. */
export const HOME = 'secrets-management';
export const NAME = 'secrets-management-service';
const NAMESPACES = '/api/v1/namespaces';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
/** A namespace goes once its controller has emptied it. */
const REMOVAL_MS = 50_000;

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
  await requireAbsent(cluster, [HOME, ...namespaces]);
  for (const name of namespaces) await cluster.insist('POST', NAMESPACES, { metadata: { name } });
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
      try {
        if (dev === undefined) await removeFrom(cluster, [HOME, ...namespaces]);
      } finally {
        await cluster.close();
        await dev?.close();
        rmSync(folder, { recursive: true });
      }
    },
  };
}

/** An installation that the guides would change or remove belongs to someone. */
async function requireAbsent(cluster: ClusterApi, namespaces: readonly string[]): Promise<void> {
  for (const path of [`${RBAC}/clusterroles/${NAME}`, ...namespaces.map((name) => `${NAMESPACES}/${name}`)])
    if (await isThere(cluster, path))
      throw new Error(`the cluster has ${path}, which the guides would change`);
}

async function removeFrom(cluster: ClusterApi, namespaces: readonly string[]): Promise<void> {
  const ours = `labelSelector=${encodeURIComponent(`app.kubernetes.io/part-of=${NAME}`)}`;
  for (const kind of ['clusterrolebindings', 'clusterroles'])
    await cluster.send('DELETE', `${RBAC}/${kind}?${ours}`);
  for (const name of namespaces) await cluster.send('DELETE', `${NAMESPACES}/${name}`);
  // The next guide creates some of them again.
  await eventually(() => requireAbsent(cluster, namespaces), REMOVAL_MS);
}

async function isThere(cluster: ClusterApi, path: string): Promise<boolean> {
  return (await cluster.send('GET', path)).status !== 404;
}
