import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openCluster, type ClusterApi } from './cluster-api.ts';
import { createCertificate, createObjects, createSigningKey } from './installation.ts';
import { keepRunning } from './keep-running.ts';
import { knownKinds } from './kinds.ts';
import { kindSet } from './manifest-sets.ts';
import { checkManifests, runE2e, type FixtureFile } from './on-cluster.ts';
import { waitForRollout } from './rollout.ts';
import { describeState } from './state-dump.ts';
import { machineTools, type Tools } from './tools.ts';
import { untilAnswered } from './until-answered.ts';

/** Where the overlay expects a browser: the gateway at the port that the cluster maps, the rest by a port-forward. */
const PORTS = { gateway: 3443, idp: 3001, ops: 9090 } as const;
const NAMESPACE = 'secrets-management';
const NAME = 'secrets-management-service';
/** In full, so that every engine stores the name under which the cluster looks for it. */
const IMAGES = {
  service: { IMAGE: `docker.io/library/${NAME}`, VERSION: 'e2e', TARGET: 'service' },
  provider: { IMAGE: 'docker.io/library/secrets-management-e2e-idp', VERSION: 'e2e', TARGET: 'e2e-idp' },
} as const;
const KIND_CONFIG = fileURLToPath(new URL('../kind/cluster.yaml', import.meta.url));
const INSTALL_GATEWAY = fileURLToPath(new URL('../kind/install-gateway', import.meta.url));
const BUILD_IMAGE = fileURLToPath(new URL('../image', import.meta.url));

export interface KindOptions {
  readonly tools?: Tools;
  /** In place of the one of {@link KIND_CONFIG}; '' for that one. */
  readonly nodeImage?: string;
  readonly rolloutTimeoutMs?: number;
  readonly say: (line: string) => void;
}

/** The engines that kind can run nodes with, and how each says that it works. */
const ENGINES = ['docker', 'podman'] as const;
type Engine = (typeof ENGINES)[number];

/** What else is needed, and how each says that it works. kubectl is for its port-forward. */
const PROGRAMS = [
  ['kind', ['version']],
  ['kubectl', ['version', '--client']],
  ['curl', ['--version']],
  ['openssl', ['version']],
] as const;

/**
 * Proves an installed service: makes a kind cluster with a gateway, builds and loads the images, applies the overlay for
 * tests, runs test/e2e through the gateway, and removes the cluster, whatever comes.
 * @returns 0 when everything holds, 1 when something does not, 2 when this machine lacks what it takes
 */
export async function proveOnKind({
  tools = machineTools,
  nodeImage = '',
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
  const site = { name, folder, kubeconfigFile, tools, nodeImage, rolloutTimeoutMs, say };
  try {
    await makeCluster(site, env);
    await loadImages(tools, engine, name, folder);
    return (await proveInstalled(site)) ? 0 : 1;
  } finally {
    await tools.run('kind', ['delete', 'cluster', '--name', name, '--kubeconfig', kubeconfigFile], env);
    rmSync(folder, { recursive: true });
  }
}

async function whatIsMissing(tools: Tools, engine: Engine | undefined): Promise<readonly string[]> {
  const missing = [
    ...(engine === undefined ? ['neither docker nor podman works'] : []),
    ...PROGRAMS.filter(([program, args]) => !tools.works(program, args)).map(
      ([program]) => `${program} is not installed`,
    ),
  ];
  if (missing.length > 0) return missing;
  for (const port of Object.values(PORTS))
    if (await tools.isListening(port)) missing.push(`port ${port} is in use`);
  return missing;
}

async function makeCluster(
  { name, kubeconfigFile, tools, nodeImage, say }: Site,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  say(`A kind cluster is made: ${name}`);
  const place = ['--name', name, '--kubeconfig', kubeconfigFile];
  const image = nodeImage === '' ? [] : ['--image', nodeImage];
  const options = ['--config', KIND_CONFIG, ...image, '--wait', '180s'];
  await tools.run('kind', ['create', 'cluster', ...place, ...options], env);
  await tools.run(INSTALL_GATEWAY, ['--kubeconfig', kubeconfigFile]);
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
  try {
    const manifestsHold = await checkManifests({ name, cluster, kinds: knownKinds(cluster), say });
    const certificate = await install(site, cluster);
    const isUp = await waitForRollout(cluster, NAMESPACE, NAME, rolloutTimeoutMs);
    if (!isUp) say(`the Deployment is not rolled out after ${rolloutTimeoutMs / 1_000} seconds`);
    const holds =
      isUp && (await runE2eThroughGateway(site, certificate)) && (await holdsTwoReplicas(site, cluster));
    if (!holds) await dump(site, cluster);
    return manifestsHold && holds;
  } finally {
    await cluster.close();
  }
}

/** @returns the file of the gateway's certificate, which signs itself */
async function install({ folder, tools, say }: Site, cluster: ClusterApi): Promise<string> {
  const kinds = knownKinds(cluster);
  const { source, manifests } = kindSet();
  say(`${source} is installed`);
  const namespaces = manifests.filter(({ kind }) => kind === 'Namespace');
  await createObjects(cluster, kinds, namespaces);
  await createSigningKey(cluster, NAMESPACE);
  const files = { cert: join(folder, 'tls.crt'), key: join(folder, 'tls.key') };
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const output = ['-keyout', files.key, '-out', files.cert];
  await tools.run('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '1',
    ...subject,
    ...output,
  ]);
  await createCertificate(cluster, { namespace: NAMESPACE, name: `${NAME}-tls` }, files);
  await createObjects(
    cluster,
    kinds,
    manifests.filter((manifest) => !namespaces.includes(manifest)),
  );
  return files.cert;
}

async function runE2eThroughGateway(site: Site, certificate: string): Promise<boolean> {
  const { name, folder, kubeconfigFile, tools } = site;
  const place = ['--kubeconfig', kubeconfigFile, '--namespace', NAMESPACE];
  const ports = [PORTS.idp, PORTS.ops].map(String);
  // kubectl gives up with the first connection that the pod refuses, be it to one port of the two.
  const forward = keepRunning(() =>
    tools.start('kubectl', [...place, 'port-forward', `deployment/${NAME}`, ...ports]),
  );
  try {
    const serviceUrl = `https://localhost:${PORTS.gateway}`;
    await untilAnswered(`http://localhost:${PORTS.idp}/.well-known/openid-configuration`);
    await untilAnswered(`http://127.0.0.1:${PORTS.ops}/readyz`);
    // The gateway's own image is pulled first.
    const ca = readFileSync(certificate, 'utf8');
    await untilAnswered(`${serviceUrl}/api/config`, { ca, timeoutMs: site.rolloutTimeoutMs });
    const fixture: FixtureFile = {
      run: name,
      serviceUrl,
      opsUrl: `http://127.0.0.1:${PORTS.ops}`,
      adminKubeconfig: kubeconfigFile,
      annotationPrefix: 'service.io',
    };
    return await runE2e(folder, fixture, { NODE_EXTRA_CA_CERTS: certificate });
  } finally {
    await forward.stop();
  }
}

/** The overlay has one, because each pod has a provider of its own; an installation has two. */
async function holdsTwoReplicas({ rolloutTimeoutMs, say }: Site, cluster: ClusterApi): Promise<boolean> {
  const path = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments/${NAME}`;
  await cluster.insist('PATCH', path, { spec: { replicas: 2 } });
  const isUp = await waitForRollout(cluster, NAMESPACE, NAME, rolloutTimeoutMs);
  say(isUp ? 'A second replica is ready.' : 'a second replica does not become ready');
  return isUp;
}

async function dump({ kubeconfigFile, tools, say }: Site, cluster: ClusterApi): Promise<void> {
  say('What is there (names and conditions only):');
  for (const line of await describeState(cluster, [NAMESPACE, 'envoy-gateway-system'])) say(`  ${line}`);
  say('The end of the service log:');
  const place = ['--kubeconfig', kubeconfigFile, '--namespace', NAMESPACE];
  await tools
    .run('kubectl', [...place, 'logs', `deployment/${NAME}`, '--container', 'service', '--tail', '60'])
    .catch(() => {
      say('  there is none: no pod has come so far');
    });
}
