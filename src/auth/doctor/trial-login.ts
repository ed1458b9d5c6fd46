import { randomBytes } from 'node:crypto';
import type { OidcSettings, Settings } from '../../config/settings.ts';
import { ignoring } from '../../errors/service-error.ts';
import { systemCodeOf } from '../../errors/system-codes.ts';
import { createLogger } from '../../observability/logger.ts';
import { createAuthentication } from '../authentication.ts';
import type { ClaimDocuments } from '../login/claims.ts';
import { LOGIN_FAILURES } from '../login/login-failure.ts';
import { MAX_SESSION_PARTS } from '../session/cookies.ts';
import { check, fix, note, ok, type CheckResult } from './check-result.ts';
import { describeClaims, examineClaims } from './claim-checks.ts';
import type { Examination } from './examine-sign-in.ts';
import { isLoopbackAddress, listenForCallback, type Loopback } from './loopback.ts';

interface TrialLogin extends Examination {
  /** The loopback address that the browser returns to. */
  readonly redirectUri: string;
  /** Prints instructions for the person at the terminal, before the report. */
  readonly print: (line: string) => void;
  readonly timeoutMs?: number;
}

const STEP = 'login';
const USER_INFO = 'UserInfo';
const TIMEOUT_MS = 300_000;
const DEFAULT_REDIRECT_URI = 'http://localhost:8400/api/auth/callback';

/** The configured redirect URI if it is on this machine, else the doctor's own. */
export function trialRedirectUri({ auth }: Settings): string {
  const configured = auth.oidc?.redirectUri;
  return configured !== undefined && isLoopbackAddress(configured) ? configured : DEFAULT_REDIRECT_URI;
}

/**
 * Signs someone in with a browser, by the service's own code except for the redirect URI, and reports the result. The
 * session is signed with a temporary key, so the service does not accept it.
 */
export async function tryLogin(trial: TrialLogin): Promise<readonly CheckResult[]> {
  const { oidc } = trial.settings.auth;
  if (oidc === undefined) return [note(STEP, 'not tried: sign-in is not configured')];
  const redirectUri = new URL(trial.redirectUri);
  let loopback;
  try {
    loopback = await listenForCallback(redirectUri, trial.timeoutMs ?? TIMEOUT_MS);
  } catch (error) {
    const code = systemCodeOf(error) ?? 'not possible';
    const cure = 'Stop what uses the port, or choose another by --redirect-uri.';
    return [fix(STEP, `(${code}) The doctor cannot listen at ${redirectUri.host}. ${cure}`)];
  }
  try {
    return await signIn(trial, { ...oidc, redirectUri: redirectUri.href }, loopback);
  } finally {
    await loopback.close();
  }
}

async function signIn(
  { settings, now, fetch, print }: TrialLogin,
  oidc: OidcSettings,
  loopback: Loopback,
): Promise<readonly CheckResult[]> {
  const { logger, failure, warnings } = createLoginRecord();
  const documents: ClaimDocuments[] = [];
  const sessionSecret = randomBytes(48).toString('base64url');
  const auth = { ...settings.auth, disabled: false, oidc, sessionSecret, previousSessionSecret: undefined };
  const authentication = createAuthentication({
    settings: { ...settings, auth },
    logger,
    now,
    fetch,
    onClaims: (claims) => documents.push(claims),
  });
  const begun = await authentication.begin().catch(ignoring()); // The record has the reason.
  if (begun === undefined) return [failure(STEP)];
  print(`Register at the provider for the time of this check, to the letter: ${oidc.redirectUri}`);
  print('Then open this address in a browser on this machine, and sign in:\n');
  print(`${begun.redirectTo}\n`);
  const callback = await loopback.callback;
  if (callback === undefined) {
    return [fix(STEP, 'No one came back from the provider in time. Its page says why, where it refuses.')];
  }
  const cookies = begun.setCookies.map((cookie) => cookie.split(';', 1)[0]).join('; ');
  const { outcome, user, setCookies } = await authentication.finish(callback, cookies);
  const userInfo = warnings(USER_INFO);
  const described = documents.flatMap((each) => describeClaims(each, oidc));
  const [received] = documents;
  if (outcome !== 'ok' || received === undefined) return [...userInfo, ...described, failure(STEP)];
  if (received.userInfo === undefined && userInfo.length === 0) {
    userInfo.push(note(USER_INFO, 'not merged: there is no such endpoint, or it failed'));
  }
  return [
    ...userInfo,
    ...described,
    ok(STEP, 'the provider and the service agree'),
    ...examineClaims(received, oidc, user?.groups.length ?? 0),
    sessionSize(setCookies),
  ];
}

function sessionSize(setCookies: readonly string[]): CheckResult {
  const parts = setCookies.filter((cookie) => /^service_session(\.[0-9])?=[^;]/.test(cookie));
  const bytes = parts.reduce((sum, cookie) => sum + cookie.length, 0);
  const text = `fits ${parts.length} of at most ${MAX_SESSION_PARTS} cookies, ${bytes} bytes`;
  return check('session', { note: parts.length !== 1 && `${text}. See "Sessions" about proxies.`, ok: text });
}

type Line = Readonly<Record<string, string | number | boolean>>;

const FAILURES: readonly unknown[] = ['login failed', 'login could not begin'];
/** The fields about the failure, in the order in which they are shown. */
const SHOWN = ['stage', 'code', 'status', 'idpError', 'systemCode', 'reason', 'claim', 'bytes', 'limit'];

/** What the service would have logged about one login. Its lines hold closed codes and fixed texts only. */
export function createLoginRecord() {
  const lines: Line[] = [];
  return {
    logger: createLogger('warn', { write: (line) => lines.push(JSON.parse(line) as Line) }),
    /** Why the login failed. */
    failure: (step: string) =>
      resultOf(step, lines.find((line) => FAILURES.includes(line['event'])) ?? { code: 'internal' }),
    /** Other problems on the way. */
    warnings: (step: string) =>
      lines.filter((line) => line['event'] === 'userinfo failed').map((line) => resultOf(step, line)),
  };
}

function resultOf(step: string, line: Line): CheckResult {
  const shown = SHOWN.filter((name) => line[name] !== undefined).map((name) =>
    name === 'status' ? `HTTP ${String(line[name])}` : String(line[name]),
  );
  return fix(step, `(${shown.join(', ')}) ${String(line['hint'] ?? LOGIN_FAILURES.internal)}`);
}
