import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { createNamespaceScope } from '../access/namespace-scope.ts';
import { createMachines } from '../auth/authentication.ts';
import { type CheckResult, exitCodeFor, fix, note, reportLines } from '../auth/doctor/check-result.ts';
import { examineSignIn } from '../auth/doctor/examine-sign-in.ts';
import { examineToken } from '../auth/doctor/examine-token.ts';
import { isLoopbackAddress } from '../auth/doctor/loopback.ts';
import { trialRedirectUri, tryLogin } from '../auth/doctor/trial-login.ts';
import { createCluster, fetchTrusting, type Cluster } from '../cluster/cluster.ts';
import { loadCredentials } from '../cluster/credentials/credentials.ts';
import { readSettings, SettingsError, type Settings } from '../config/settings.ts';
import { isServiceError } from '../errors/service-error.ts';
import { AnnotationCodec } from '../kube/annotation-codec.ts';
import { createLogger } from '../observability/logger.ts';
import { createMetrics } from '../observability/metrics.ts';
import { startDeadline, type Deadline } from '../timing/deadline.ts';

// Checks the sign-in configuration of this environment: `npm run doctor`, or `node dist/cmd/doctor.js` in the
// container; with `--login` by a complete sign-in. With `--token-file` it checks the token of a machine instead, with the
// bindings of the cluster. Prints what is correct and what to change. Exits with 0 if nothing has to be changed, with 1 if
// something has, with 2 for wrong arguments.

const USAGE = `usage: doctor [--login [--redirect-uri http://localhost:8400/api/auth/callback]]
       doctor --token-file FILE
  --login         also signs someone in through a browser on this machine, and prints the claims without their values
  --redirect-uri  where the browser comes back to: a loopback address that is registered at the provider
  --token-file    checks the token of a machine, prints the names of its claims, and which bindings match or why not`;
const BUDGET_MS = 30_000;
/** Longer ones are refused anyway. */
const MAX_TOKEN_BYTES = 65_536;

function readArguments() {
  try {
    const text = { type: 'string' } as const;
    const { values } = parseArgs({
      options: { login: { type: 'boolean', default: false }, 'redirect-uri': text, 'token-file': text },
    });
    const { login, 'redirect-uri': redirectUri, 'token-file': tokenFile } = values;
    if (redirectUri !== undefined && !(login && isLoopbackAddress(redirectUri))) return undefined;
    return login && tokenFile !== undefined ? undefined : values;
  } catch {
    return undefined; // An unknown option: the usage is enough.
  }
}

async function examineDeployment(settings: Settings, login: boolean, redirectUri: string | undefined) {
  const examination = { settings, fetch: globalThis.fetch, now: Date.now };
  const examined = await examineSignIn(examination, process.env);
  if (!login) return examined;
  const isReachable = examined.some(({ step, verdict }) => step === 'discovery' && verdict === 'ok');
  if (!isReachable) return [...examined, note('login', 'not tried: the provider has to be found first')];
  const tried = await tryLogin({
    ...examination,
    redirectUri: redirectUri ?? trialRedirectUri(settings),
    print: (line) => process.stdout.write(`${line}\n`),
  });
  return [...examined, ...tried];
}

async function examineTokenFile(file: string, settings: Settings): Promise<readonly CheckResult[]> {
  const content = await readFile(file).catch(() => undefined);
  if (content === undefined) return [fix('token file', 'It does not exist, or cannot be read.')];
  const cluster = createCluster({
    credentials: loadCredentials({ kubeconfig: process.env['KUBECONFIG'], environment: process.env }),
    policyName: settings.access.policyName,
    codec: new AnnotationCodec(settings.secrets.annotationPrefix),
    onCall: () => undefined,
  });
  const machines = createMachines({
    auth: settings.auth,
    fetchTrusting,
    reviewToken: cluster.reviewToken,
    isRevoked: undefined,
    logger: createLogger('silent'),
    metrics: createMetrics(''),
  });
  const deadline = startDeadline(BUDGET_MS);
  try {
    const token = content.subarray(0, MAX_TOKEN_BYTES).toString('utf8').trim();
    const authenticate = () => machines.authenticate(token, deadline);
    const policies = () => policiesOf(cluster, settings, deadline);
    return await examineToken(token, settings.auth.trustedIssuers, authenticate, policies);
  } finally {
    await cluster.close();
  }
}

/** Those of the scope: the rights of the service are no wider. */
async function policiesOf({ policies }: Cluster, { access }: Settings, deadline: Deadline) {
  const { named, contains } = createNamespaceScope(access.namespaces);
  if (named === undefined)
    return (await policies.readAll(deadline)).filter(({ namespace }) => contains(namespace));
  const read = await Promise.all(named.map((namespace) => policies.read(namespace, deadline)));
  return read.filter((policy) => policy !== undefined);
}

async function run(): Promise<number> {
  const args = readArguments();
  if (args === undefined) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const { 'token-file': tokenFile, login, 'redirect-uri': redirectUri } = args;
  const summary = tokenFile === undefined ? undefined : { good: 'The token is accepted.', goal: 'the token' };
  let results: readonly CheckResult[];
  try {
    const settings = readSettings(process.env);
    results =
      tokenFile === undefined
        ? await examineDeployment(settings, login, redirectUri)
        : await examineTokenFile(tokenFile, settings);
  } catch (error) {
    if (error instanceof SettingsError)
      results = error.problems.map(({ variable, rule }) => fix('settings', `${variable} ${rule}`));
    // Its cause may quote a kubeconfig.
    else if (isServiceError(error)) results = [fix('cluster', error.message)];
    else throw error;
  }
  process.stdout.write(`${reportLines(results, summary).join('\n')}\n`);
  return exitCodeFor(results);
}

process.exitCode = await run();
