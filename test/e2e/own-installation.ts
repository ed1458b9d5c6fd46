import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountKubeconfig } from '../../hack/e2e/account-kubeconfig.ts';
import { openCluster, openClusterOf, type ClusterApi } from '../../hack/e2e/cluster-api.ts';
import { accountOf, createNamespaces, createRights } from '../../hack/e2e/installation.ts';
import { untilRightsHold } from '../../hack/e2e/rights-in-effect.ts';
import { knownKinds } from '../../hack/e2e/kinds.ts';
import { renderedSet } from '../../hack/e2e/manifest-sets.ts';
import { namedForRun } from '../../hack/e2e/run-names.ts';
import type { Manifest } from '../../hack/manifests/rendered.ts';
import { startService, type ServiceProcess } from '../harness/service-process.ts';
import type { Fixture } from './fixture.ts';

/** A service from source that runs under an account and rights of its own, as a manifest renders them. */
export interface OwnInstallation {
  readonly service: ServiceProcess;
  readonly manifests: readonly Manifest[];
  /** The cluster as an administrator reaches it. */
  readonly cluster: ClusterApi;
  /** The cluster as the service reaches it. */
  readonly asService: ClusterApi;
  /** Where the service runs, and has its Lease. */
  readonly home: string;
  stop(): Promise<void>;
}

/**
 * @param suffix distinguishes the installations of one run
 * @param environment for the service, given the name of a namespace of the manifest's and giving the run's own name
 */
export async function installOwn(
  fixture: Fixture,
  file: Parameters<typeof renderedSet>[0],
  suffix: string,
  environment: (own: (name: string) => string) => Readonly<Record<string, string>>,
): Promise<OwnInstallation> {
  const run = `${fixture.run}-${suffix}`;
  const manifests = namedForRun(renderedSet(file).manifests, run);
  const cluster = openCluster(fixture.adminKubeconfig);
  await createNamespaces(cluster, manifests);
  await createRights(cluster, knownKinds(cluster), manifests);
  const account = accountOf(manifests);
  const kubeconfig = await accountKubeconfig(cluster, fixture.adminKubeconfig, account);
  const folder = mkdtempSync(join(tmpdir(), 'service-e2e-'));
  const kubeconfigFile = join(folder, 'kubeconfig');
  writeFileSync(kubeconfigFile, kubeconfig, { mode: 0o600 });
  const asService = openClusterOf(kubeconfig);
  await untilRightsHold(asService, manifests);
  const service = await startService({ kubeconfigFile, env: environment((name) => `${run}-${name}`) });
  return {
    service,
    manifests,
    cluster,
    asService,
    home: account.namespace,
    async stop() {
      await service.stop();
      await asService.close();
      await cluster.close();
      rmSync(folder, { recursive: true });
    },
  };
}
