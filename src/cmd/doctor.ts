import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { createNamespaceScope } from '../access/namespace-scope.ts';
import type { StoredPolicy } from '../access/policy.ts';
import { createMachines } from '../auth/authentication.ts';
import {
  type CheckResult,
  exitCodeFor,
  fix,
  note,
  reportLines,
  tokenSummary,
} from '../auth/doctor/check-result.ts';
import { examineSignIn } from '../auth/doctor/examine-sign-in.ts';
import { examineToken } from '../auth/doctor/examine-token.ts';
import { isLoopbackAddress } from '../auth/doctor/loopback.ts';
import { trialRedirectUri, tryLogin } from '../auth/doctor/trial-login.ts';
import { createCluster, fetchTrusting, type Cluster } from '../cluster/cluster.ts';
import { loadCredentials } from '../cluster/credentials/credentials.ts';
import { settingOddities } from '../config/oddities.ts';
import { readSettings, SettingsError, type Settings } from '../config/settings.ts';
import { createAnnotationCodec } from '../kube/annotation-codec.ts';
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

type Arguments = NonNullable<ReturnType<typeof readArguments>>;

function readArguments() {
  try {
    const text = { type: 'string' } as const;
    const { values } = parseArgs({
      options: { login: { type: 'boolean', default: false }, 'redirect-uri': text, 'token-file': text },
    });
    const { login, 'redirect-uri': redirectUri, 'token-file': tokenFile } = values;
    if (redirectUri !== undefined && !(login && isLoopbackAddress(redirectUri))) return undefined;
    if (login && tokenFile !== undefined) return undefined;
    return { login, redirectUri, tokenFile };
  } catch {
    return undefined; // An unknown option: the usage is enough.
  }
}

async function examine(args: Arguments): Promise<readonly CheckResult[]> {
  try {
    const settings = readSettings(process.env);
    if (args.tokenFile !== undefined) return await examineTokenFile(args.tokenFile, settings);
    const examined = [
      ...odd(settings),
      ...(await examineSignIn({ settings, fetch: globalThis.fetch, now: Date.now })),
    ];
    return args.login ? [...examined, ...(await login(settings, examined, args))] : examined;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.problems.map(({ variable, rule }) => fix('settings', `${variable} ${rule}`));
  }
}

/** These have checks of their own. */
const EXAMINED: readonly string[] = ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_ISSUER'];

function odd(settings: Settings): readonly CheckResult[] {
  return settingOddities(process.env, settings)
    .filter(({ variable }) => !EXAMINED.includes(variable))
    .map(({ variable, problem }) => note('settings', `${variable} ${problem}`));
}

function login(settings: Settings, examined: readonly CheckResult[], { redirectUri }: Arguments) {
  const isReachable = examined.some(({ step, verdict }) => step === 'discovery' && verdict === 'ok');
  if (!isReachable) return [note('login', 'not tried: the provider has to be found first')];
  return tryLogin({
    settings,
    fetch: globalThis.fetch,
    now: Date.now,
    redirectUri: redirectUri ?? trialRedirectUri(settings),
    print: (line) => process.stdout.write(`${line}\n`),
  });
}

async function examineTokenFile(file: string, settings: Settings): Promise<readonly CheckResult[]> {
  const content = await readFile(file).catch(() => undefined);
  if (content === undefined) return [fix('token file', 'It does not exist, or cannot be read.')];
  const { trustedIssuers: issuers } = settings.auth;
  const cluster = createCluster({
    credentials: loadCredentials({ kubeconfig: process.env['KUBECONFIG'], environment: process.env }),
    policyName: settings.access.policyName,
    codec: createAnnotationCodec(settings.secrets.annotationPrefix),
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
    return await examineToken({
      token: content.subarray(0, MAX_TOKEN_BYTES).toString('utf8').trim(),
      issuers,
      authenticate: (token) => machines.authenticate(token, deadline),
      policies: () => policiesOf(cluster, settings, deadline),
    });
  } finally {
    await cluster.close();
  }
}

/** Those of the scope: the rights of the service are no wider. */
async function policiesOf(
  { policies }: Cluster,
  { access }: Settings,
  deadline: Deadline,
): Promise<readonly StoredPolicy[]> {
  const { named, contains } = createNamespaceScope(access.namespaces);
  if (named === undefined)
    return (await policies.readAll(deadline)).filter(({ namespace }) => contains(namespace));
  const read = await Promise.all(named.map((namespace) => policies.read(namespace, deadline)));
  return read.filter((policy) => policy !== undefined);
}

const args = readArguments();
if (args === undefined) {
  process.stderr.write(`${USAGE}\n`);
  process.exitCode = 2;
} else {
  const results = await examine(args);
  process.stdout.write(
    `${reportLines(results, args.tokenFile === undefined ? undefined : tokenSummary).join('\n')}\n`,
  );
  process.exitCode = exitCodeFor(results);
}
