import { randomBytes } from 'node:crypto';
import { isServiceError } from '../../errors/service-error.ts';
import { systemCodeOf } from '../../errors/system-codes.ts';
import type { OidcSettings, Settings } from '../../config/settings.ts';
import { createAuthentication, type LoginRedirect } from '../authentication.ts';
import type { ClaimDocuments } from '../login/claims.ts';
import { MAX_SESSION_PARTS } from '../session/cookies.ts';
import { describeClaims, examineClaims } from './claim-checks.ts';
import { fix, note, ok, type CheckResult } from './check-result.ts';
import type { Examination } from './examine-sign-in.ts';
import { isLoopbackAddress, listenForCallback, type Loopback } from './loopback.ts';
import { createLoginRecord, type LoginRecord } from './login-record.ts';

export interface TrialLogin extends Examination {
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
  const loopback = await listenForCallback(redirectUri, trial.timeoutMs ?? TIMEOUT_MS).catch(
    (error: unknown) => systemCodeOf(error) ?? 'not possible',
  );
  if (typeof loopback === 'string') {
    const cure = 'Stop what uses the port, or choose another by --redirect-uri.';
    return [fix(STEP, `(${loopback}) The doctor cannot listen at ${redirectUri.host}. ${cure}`)];
  }
  try {
    return await signIn(trial, { ...oidc, redirectUri: redirectUri.href }, loopback);
  } finally {
    await loopback.close();
  }
}

async function signIn(
  trial: TrialLogin,
  oidc: OidcSettings,
  loopback: Loopback,
): Promise<readonly CheckResult[]> {
  const record = createLoginRecord();
  let documents: ClaimDocuments | undefined;
  const authentication = createAuthentication({
    settings: withTrialClient(trial.settings, oidc),
    logger: record.logger,
    now: trial.now,
    fetch: trial.fetch,
    onClaims: (claims) => {
      documents = claims;
    },
  });
  const begun = await authentication.begin().catch((error: unknown) => {
    if (!isServiceError(error)) throw error;
    return undefined; // `record` has the reason.
  });
  if (begun === undefined) return [record.failure(STEP)];
  for (const line of instructions(begun.redirectTo, oidc.redirectUri)) trial.print(line);
  const callback = await loopback.callback;
  if (callback === undefined) {
    return [fix(STEP, 'No one came back from the provider in time. Its page says why, where it refuses.')];
  }
  const finished = await authentication.finish(callback, cookieHeader(begun));
  return loginResults(finished, documents, { oidc, record });
}

/** The service's settings, except for the redirect URI and the session key. */
function withTrialClient(settings: Settings, oidc: OidcSettings): Settings {
  const sessionSecret = randomBytes(48).toString('base64url');
  const auth = { ...settings.auth, disabled: false, oidc, sessionSecret, previousSessionSecret: undefined };
  return { ...settings, auth };
}

function instructions(address: string, redirectUri: string): readonly string[] {
  return [
    `Register this redirect URI at the provider for the time of this check, to the letter: ${redirectUri}`,
    'Then open this address in a browser on this machine, and sign in:',
    '',
    address,
    '',
  ];
}

function cookieHeader({ setCookies }: LoginRedirect): string {
  return setCookies.map((cookie) => cookie.split(';', 1)[0] ?? '').join('; ');
}

function loginResults(
  { outcome, user, setCookies }: LoginRedirect,
  documents: ClaimDocuments | undefined,
  { oidc, record }: { readonly oidc: OidcSettings; readonly record: LoginRecord },
): readonly CheckResult[] {
  const described = documents === undefined ? [] : describeClaims(documents, oidc);
  if (outcome !== 'ok' || documents === undefined) {
    return [...record.warnings(USER_INFO), ...described, record.failure(STEP)];
  }
  const userInfo = record.warnings(USER_INFO);
  const isMissing = documents.userInfo === undefined && userInfo.length === 0;
  return [
    ...(isMissing ? [note(USER_INFO, 'not merged: there is no such endpoint, or it failed')] : userInfo),
    ...described,
    ok(STEP, 'the provider and the service agree'),
    ...examineClaims(documents, oidc, user?.groups.length ?? 0),
    sessionSize(setCookies),
  ];
}

function sessionSize(setCookies: readonly string[]): CheckResult {
  const parts = setCookies.filter((cookie) => /^service_session(\.[0-9])?=[^;]/.test(cookie));
  const bytes = parts.reduce((sum, cookie) => sum + cookie.length, 0);
  const text = `fits ${parts.length} of at most ${MAX_SESSION_PARTS} cookies, ${bytes} bytes`;
  return parts.length === 1 ? ok('session', text) : note('session', `${text}. See "Sessions" about proxies.`);
}
