import { parseArgs } from 'node:util';
import { examineSignIn } from '../auth/doctor/examine-sign-in.ts';
import { type CheckResult, exitCodeFor, fix, note, reportLines } from '../auth/doctor/check-result.ts';
import { isLoopbackAddress } from '../auth/doctor/loopback.ts';
import { trialRedirectUri, tryLogin } from '../auth/doctor/trial-login.ts';
import { settingOddities } from '../config/oddities.ts';
import { readSettings, SettingsError, type Settings } from '../config/settings.ts';

// Checks the sign-in configuration of this environment: `npm run doctor`, or `node dist/cmd/doctor.js` in the
// container; with `--login` by a complete sign-in. Prints what is correct and what to change. Exits with 0 if nothing
// has to be changed, with 1 if something has, with 2 for wrong arguments.

const USAGE = `usage: doctor [--login [--redirect-uri http://localhost:8400/api/auth/callback]]
  --login         also signs someone in through a browser on this machine, and prints the claims without their values
  --redirect-uri  where the browser comes back to: a loopback address that is registered at the provider`;

interface Arguments {
  readonly login: boolean;
  readonly redirectUri: string | undefined;
}

function readArguments(): Arguments | undefined {
  try {
    const { values } = parseArgs({
      options: { login: { type: 'boolean', default: false }, 'redirect-uri': { type: 'string' } },
    });
    const { login, 'redirect-uri': redirectUri } = values;
    if (redirectUri !== undefined && !(login && isLoopbackAddress(redirectUri))) return undefined;
    return { login, redirectUri };
  } catch {
    return undefined; // An unknown option: the usage is enough.
  }
}

async function examine(args: Arguments): Promise<readonly CheckResult[]> {
  try {
    const settings = readSettings(process.env);
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

const args = readArguments();
if (args === undefined) {
  process.stderr.write(`${USAGE}\n`);
  process.exitCode = 2;
} else {
  const results = await examine(args);
  process.stdout.write(`${reportLines(results).join('\n')}\n`);
  process.exitCode = exitCodeFor(results);
}
