import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountKubeconfig } from './account-kubeconfig.ts';
import { cleanUp } from './clean-up.ts';
import { openCluster, openClusterOf, type ClusterApi } from './cluster-api.ts';
import { dryRun, isGood, type Verdict } from './dry-run.ts';
import { accountOf, createNamespaces, createRights } from './installation.ts';
import { knownKinds, type KnownKinds } from './kinds.ts';
import { allSets, e2eSet, type ManifestSet } from './manifest-sets.ts';
import { installOverlay } from './overlay.ts';
import { untilRightsHold } from './rights-in-effect.ts';
import { namedForRun } from './run-names.ts';
import { serviceLog, startService, type RunningService } from './running-service.ts';
import { describeRun, logTail } from './state-dump.ts';
import { runSuite } from './suites.ts';

/** The description of the service under test that test/e2e reads; see test/e2e/fixture.ts. */
export interface FixtureFile {
  /** Every name that the tests create begins with it. */
  readonly run: string;
  readonly serviceUrl: string;
  readonly opsUrl: string;
  readonly adminKubeconfig: string;
  readonly annotationPrefix: string;
}

interface Run {
  readonly name: string;
  readonly folder: string;
  readonly kubeconfigFile: string;
  readonly cluster: ClusterApi;
  readonly kinds: KnownKinds;
  readonly say: (line: string) => void;
  readonly isQuick: boolean;
  readonly overlay?: ManifestSet;
}

/** What the service under test runs with. */
interface Installed {
  /** The file with the account's token. */
  readonly kubeconfigFile: string;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface OnClusterOptions {
  readonly say: (line: string) => void;
  /** Leaves test/contract out. */
  readonly isQuick: boolean;
  /** What is installed in place of kustomize/overlays/e2e, and validated in place of everything that there is. */
  readonly overlay?: ManifestSet;
}

/**
 * Proves the service on a cluster: the manifests by server-side dry-run, then the service from source with the
 * rendered rights only. What is created carries the run's name and is removed, whatever comes.
 * Its annotation prefix is its own, so that it and an installation on this cluster leave each other's history alone.
 * @returns 0 when everything holds, 1 when something does not
 */
export async function proveOnCluster(
  kubeconfigFile: string,
  { say, isQuick, overlay }: OnClusterOptions,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'service-e2e-'));
  const cluster = openCluster(kubeconfigFile);
  const name = `e2e-${randomBytes(4).toString('hex')}`;
  const run: Run = {
    name,
    folder,
    kubeconfigFile,
    cluster,
    kinds: knownKinds(cluster),
    say,
    isQuick,
    ...(overlay && { overlay }),
  };
  try {
    const version = (await cluster.insist('GET', '/version')) as { readonly gitVersion?: string };
    say(`The cluster is ${version.gitVersion ?? 'of an unknown version'}; this run is ${name}.`);
    return (await prove(run)) ? 0 : 1;
  } finally {
    for (const left of await cleanUp(cluster, name)) say(`  left behind: ${left}`);
    await cluster.close();
    rmSync(folder, { recursive: true });
    say('What this run created is removed.');
  }
}

async function prove(run: Run): Promise<boolean> {
  const manifestsHold = await checkManifests({ ...run, ...(run.overlay && { sets: [run.overlay] }) });
  const installed = await install(run, run.overlay ?? e2eSet());
  const serviceHolds = await proveService(run, installed);
  // The contract is the same with every overlay, but for what its settings and rights leave out.
  if (run.isQuick || run.overlay !== undefined) return manifestsHold && serviceHolds;
  const contractHolds = await proveContract(run, installed.kubeconfigFile);
  return manifestsHold && serviceHolds && contractHolds;
}

async function proveService(run: Run, installed: Installed): Promise<boolean> {
  const { name, folder, kubeconfigFile, say } = run;
  say('The service starts from source, with the token of its account and nothing else.');
  let service: RunningService | undefined;
  let holds = false;
  try {
    const annotationPrefix = `${name}.example.com`;
    service = await startService({ ...installed, folder, annotationPrefix });
    say('test/e2e, against this service:');
    const { url: serviceUrl, opsUrl } = service;
    const fixture = { run: name, serviceUrl, opsUrl, adminKubeconfig: kubeconfigFile, annotationPrefix };
    holds = await runE2e(folder, fixture);
    return holds;
  } finally {
    if (!holds) await dump(run);
    await service?.stop();
  }
}

async function dump({ name, folder, cluster, say }: Run): Promise<void> {
  say('What is there (names and conditions only):');
  for (const line of await describeRun(cluster, name)) say(`  ${line}`);
  say('The end of the service log:');
  for (const line of logTail(serviceLog(folder))) say(`  ${line}`);
}

/** Its services are many, each with a limit of history of its own; that none has a Lease is the harness' concern. */
function proveContract(
  { name, folder, kubeconfigFile, say }: Run,
  serviceKubeconfig: string,
): Promise<boolean> {
  say('test/contract: its services have the token only, its tests arrange as the administrator.');
  return runSuite(['--project', 'contract'], {
    TEST_KUBECONFIG: kubeconfigFile,
    TEST_SERVICE_KUBECONFIG: serviceKubeconfig,
    TEST_NAMESPACE_PREFIX: `${name}-`,
    TEST_ANNOTATION_PREFIX: `${name}.example.com`,
    REPORT_FILE: join(folder, 'contract.json'),
  });
}

/**
 * Sends everything that there is to install as a dry run. Creates the namespaces, under the run's names, since objects
 * can be checked only in namespaces that exist.
 */
export async function checkManifests({
  name,
  cluster,
  kinds,
  say,
  sets = allSets(),
}: Pick<Run, 'name' | 'cluster' | 'kinds' | 'say'> & {
  readonly sets?: readonly ManifestSet[];
}): Promise<boolean> {
  say(`The manifests: server-side dry-run of ${sets.map(({ source }) => source).join(', ')}`);
  const objects = sets.flatMap(({ manifests }) => namedForRun(manifests, name));
  const isNamespace = ({ kind }: { readonly kind: string }): boolean => kind === 'Namespace';
  const first = await dryRun(cluster, kinds, objects.filter(isNamespace));
  await createNamespaces(cluster, objects);
  const rest = await dryRun(
    cluster,
    kinds,
    objects.filter((one) => !isNamespace(one)),
  );
  const verdicts = [...first, ...rest];
  for (const line of verdictLines(verdicts)) say(line);
  return verdicts.every(isGood);
}

function verdictLines(verdicts: readonly Verdict[]): readonly string[] {
  const accepted = verdicts.filter(({ outcome }) => outcome === 'accepted');
  return [
    `  accepted: ${accepted.length} objects`,
    ...accepted.filter(({ words }) => words.length > 0).map((one) => lineOf('accepted with warnings', one)),
    ...verdicts
      .filter(({ outcome }) => outcome === 'kind not known')
      .map((one) => lineOf('not known to this cluster', one)),
    ...verdicts.filter(({ outcome }) => outcome === 'refused').map((one) => lineOf('REFUSED', one)),
  ];
}

function lineOf(what: string, { object, words }: Verdict): string {
  return `  ${what}: ${object}${words.length === 0 ? '' : `: ${words.join('; ')}`}`;
}

/** Creates the rights of a set, or with an overlay everything of it, and a token for its account. */
async function install(run: Run, { source, manifests: rendered }: ManifestSet): Promise<Installed> {
  const { name, folder, cluster, kinds, say } = run;
  const manifests = namedForRun(rendered, name);
  const isOverlay = run.overlay !== undefined;
  say(`${isOverlay ? 'The objects' : 'The rights'} of ${source} are created, and a token for their account.`);
  const environment = isOverlay ? await installOverlay(cluster, kinds, manifests) : undefined;
  if (!isOverlay) await createRights(cluster, kinds, manifests);
  const kubeconfigFile = join(folder, 'service-kubeconfig');
  const text = await accountKubeconfig(cluster, run.kubeconfigFile, accountOf(manifests));
  writeFileSync(kubeconfigFile, text, { mode: 0o600 });
  const asService = openClusterOf(text);
  try {
    await untilRightsHold(asService, manifests);
  } finally {
    await asService.close();
  }
  return { kubeconfigFile, ...(environment && { environment }) };
}

/** Runs test/e2e against a service that is running. */
export function runE2e(
  folder: string,
  fixture: FixtureFile,
  env: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  const file = join(folder, 'fixture.json');
  writeFileSync(file, JSON.stringify(fixture), { mode: 0o600 });
  return runSuite(['--config', 'test/e2e/vitest.config.ts'], { ...env, E2E_FIXTURE: file });
}
