import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isListening } from '../is-listening.ts';
import { openCluster, type ClusterApi } from './cluster-api.ts';
import { createObjects, createSigningKey } from './installation.ts';
import { keepRunning } from './keep-running.ts';
import { knownKinds } from './kinds.ts';
import { e2eSet } from './manifest-sets.ts';
import { checkManifests, runE2e, type FixtureFile } from './on-cluster.ts';
import { waitForRollout } from './rollout.ts';
import { describeState } from './state-dump.ts';
import { machineTools, type Tools } from './tools.ts';

/** Where the overlay for tests expects the browser to reach the service, its provider and its operations port. */
const PORTS = { api: 3000, idp: 3001, ops: 9090 } as const;
const NAMESPACE = 'secrets-management';
const NAME = 'secrets-management-service';
/** In full, so that every engine stores the name under which the cluster looks for it. */
const IMAGES = {
  service: { IMAGE: `docker.io/library/${NAME}`, VERSION: 'e2e', TARGET: 'service' },
  provider: { IMAGE: 'docker.io/library/secrets-management-e2e-idp', VERSION: 'e2e', TARGET: 'e2e-idp' },
} as const;
const KIND_CONFIG = fileURLToPath(new URL('../kind/cluster.yaml', import.meta.url));
const BUILD_IMAGE = fileURLToPath(new URL('../image', import.meta.url));

export interface KindOptions {
  readonly tools?: Tools;
  readonly rolloutTimeoutMs?: number;
  readonly say: (line: string) => void;
}

/** The engines that kind can run nodes with, and how each says that it works. */
const ENGINES = ['docker', 'podman'] as const;
type Engine = (typeof ENGINES)[number];

/**
 * Proves an installed service: makes a kind cluster, builds and loads the images, applies the overlay for tests, runs
 * test/e2e, and removes the cluster, whatever comes.
 * @returns 0 when everything holds, 1 when something does not, 2 when this machine lacks what it takes
 */
export async function proveOnKind({
  tools = machineTools,
  rolloutTimeoutMs = 240_000,
  say,
}: KindOptions): Promise<number> {
  const engine = ENGINES.find((one) => tools.works(one, ['info']));
  const missing = await whatIsMissing(tools, engine);
  if (missing.length > 0 || engine === undefined) {
    say(`e2e: without E2E_KUBECONFIG a kind cluster is needed, and here ${missing.join('; ')}.`);
    say('     Give a cluster instead: make e2e E2E_KUBECONFIG=~/.kube/config');
    say('     or the development cluster, which needs nothing: make e2e E2E_KUBECONFIG=.dev/kubeconfig');
    return 2;
  }
  const name = `e2e-${randomBytes(4).toString('hex')}`;
  const folder = mkdtempSync(join(tmpdir(), 'service-e2e-'));
  const kubeconfigFile = join(folder, 'kubeconfig');
  const env = { KIND_EXPERIMENTAL_PROVIDER: engine };
  try {
    say(`A kind cluster is made: ${name}`);
    const create = [
      '--name',
      name,
      '--kubeconfig',
      kubeconfigFile,
      '--config',
      KIND_CONFIG,
      '--wait',
      '180s',
    ];
    await tools.run('kind', ['create', 'cluster', ...create], env);
    await loadImages(tools, engine, name, folder);
    const site = { name, folder, kubeconfigFile, tools, rolloutTimeoutMs, say };
    return (await proveInstalled(site)) ? 0 : 1;
  } finally {
    await tools.run('kind', ['delete', 'cluster', '--name', name, '--kubeconfig', kubeconfigFile], env);
    rmSync(folder, { recursive: true });
  }
}

async function whatIsMissing(tools: Tools, engine: Engine | undefined): Promise<readonly string[]> {
  const missing = [
    ...(engine === undefined ? ['neither docker nor podman works'] : []),
    ...(tools.works('kind', ['version']) ? [] : ['kind is not installed']),
    // For its port-forward: the provider's public passwords are served inside of the pod only.
    ...(tools.works('kubectl', ['version', '--client']) ? [] : ['kubectl is not installed']),
  ];
  if (missing.length > 0) return missing;
  for (const port of Object.values(PORTS))
    if (await isListening(port)) missing.push(`port ${port} is in use`);
  return missing;
}

async function loadImages(tools: Tools, engine: Engine, cluster: string, folder: string): Promise<void> {
  for (const settings of Object.values(IMAGES)) {
    await tools.run(BUILD_IMAGE, [], { ...settings, ENGINE: engine });
    const archive = join(folder, `${settings.TARGET}.tar`);
    await tools.run(engine, ['save', '--output', archive, `${settings.IMAGE}:${settings.VERSION}`]);
    await tools.run('kind', ['load', 'image-archive', archive, '--name', cluster], {
      KIND_EXPERIMENTAL_PROVIDER: engine,
    });
  }
}

interface Site extends Required<Omit<KindOptions, 'tools'>> {
  readonly name: string;
  readonly folder: string;
  readonly kubeconfigFile: string;
  readonly tools: Tools;
}

async function proveInstalled(site: Site): Promise<boolean> {
  const { name, kubeconfigFile, say, rolloutTimeoutMs } = site;
  const cluster = openCluster(kubeconfigFile);
  const kinds = knownKinds(cluster);
  try {
    const manifestsHold = await checkManifests({ name, cluster, kinds, say });
    const { source, manifests } = e2eSet();
    say(`${source} is installed`);
    const namespaces = manifests.filter(({ kind }) => kind === 'Namespace');
    await createObjects(cluster, kinds, namespaces);
    await createSigningKey(cluster, NAMESPACE);
    await createObjects(
      cluster,
      kinds,
      manifests.filter((manifest) => !namespaces.includes(manifest)),
    );
    const isUp = await waitForRollout(cluster, NAMESPACE, NAME, rolloutTimeoutMs);
    if (!isUp) say(`the Deployment is not rolled out after ${rolloutTimeoutMs / 1_000} seconds`);
    const holds = isUp && (await runE2eByPortForward(site));
    if (!holds) await dump(site, cluster);
    return manifestsHold && holds;
  } finally {
    await cluster.close();
  }
}

async function runE2eByPortForward({ name, folder, kubeconfigFile, tools }: Site): Promise<boolean> {
  const ports = Object.values(PORTS).map(String);
  const place = ['--kubeconfig', kubeconfigFile, '--namespace', NAMESPACE];
  // kubectl gives up with the first connection that the pod refuses, be it to one port of the three.
  const forward = keepRunning(() =>
    tools.start('kubectl', [...place, 'port-forward', `deployment/${NAME}`, ...ports]),
  );
  try {
    await untilAnswered(`http://localhost:${PORTS.idp}/.well-known/openid-configuration`);
    await untilAnswered(`http://127.0.0.1:${PORTS.ops}/readyz`);
    await untilAnswered(`http://localhost:${PORTS.api}/api/config`);
    const fixture: FixtureFile = {
      run: name,
      serviceUrl: `http://localhost:${PORTS.api}`,
      opsUrl: `http://127.0.0.1:${PORTS.ops}`,
      adminKubeconfig: kubeconfigFile,
      annotationPrefix: 'service.io',
    };
    return await runE2e(folder, fixture);
  } finally {
    await forward.stop();
  }
}

async function dump({ kubeconfigFile, tools, say }: Site, cluster: ClusterApi): Promise<void> {
  say('What is there (names and conditions only):');
  for (const line of await describeState(cluster, [NAMESPACE])) say(`  ${line}`);
  say('The end of the service log:');
  const place = ['--kubeconfig', kubeconfigFile, '--namespace', NAMESPACE];
  await tools
    .run('kubectl', [...place, 'logs', `deployment/${NAME}`, '--container', 'service', '--tail', '60'])
    .catch(() => {
      say('  there is none: no pod has come so far');
    });
}

/** That kubectl listens says nothing of the pod. */
async function untilAnswered(url: string): Promise<void> {
  for (const end = performance.now() + 60_000; performance.now() < end;) {
    const isGood = await fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
      ({ ok }) => ok,
      () => false, // not forwarded yet, or refused in the pod
    );
    if (isGood) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`nothing good is answered at ${url}: the port-forward has not come up`);
}
