import { settingOddities } from '../../config/oddities.ts';
import type { OidcSettings, Settings } from '../../config/settings.ts';
import { LOGIN_FAILURES, type LoginFailureCode } from '../login/login-failure.ts';
import {
  createProviderFetch,
  discoveryAddress,
  readPublished,
  type Fetch,
  type ProviderRequest,
} from '../login/provider-requests.ts';
import { documentProblems, issuerProblem, type DiscoveryDocument } from '../login/provider-rules.ts';
import { readSigningKey, SIGNING_KEY_ADVICE } from '../session/sessions.ts';
import { check, fix, note, ok, unreachable, type CheckResult } from './check-result.ts';
import { probeClient } from './client-probe.ts';

export interface Examination {
  readonly settings: Settings;
  readonly fetch: Fetch;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Checks a deployment's sign-in in the order of a login: the settings, then the provider. Signs no one in. Never
 * rejects because of the provider.
 */
export async function examineSignIn(
  { settings, fetch, now }: Examination,
  environment: Parameters<typeof settingOddities>[0],
): Promise<readonly CheckResult[]> {
  const { oidc } = settings.auth;
  const odd = settingOddities(environment, settings);
  const local = [
    ...odd.map(({ variable, problem }) => note('settings', `${variable} ${problem}`)),
    ...keyChecks(settings),
  ];
  if (oidc === undefined) return [...local, fix('provider', LOGIN_FAILURES.not_configured)];
  local.push(...clientChecks(settings, oidc));
  if (issuerProblem(oidc) !== undefined) return local;
  const request = createProviderFetch(fetch, oidc.allowHttp);
  const sentAtMs = now();
  try {
    const { document, date } = await readPublished(discoveryAddress(oidc.issuer), request);
    return [
      ...local,
      ok('discovery', 'the provider answers (HTTP 200)'),
      clock(date, sentAtMs, now()),
      ...protocolChecks(document, oidc),
      ...claimChecks(document, oidc),
      await signingKeys(document, request),
      ...(await probeClient(document, oidc, request)),
    ];
  } catch (error) {
    return [...local, unreachable('discovery', error, 'discovery')];
  }
}

/** A key with fewer different characters looks typed by hand rather than random. */
const FEW_CHARACTERS = 10;

function keyChecks({ auth, http, missing }: Settings): readonly CheckResult[] {
  const { problem } = readSigningKey(auth.sessionSecret);
  const former = readSigningKey(auth.previousSessionSecret);
  const isRotated = auth.previousSessionSecret !== undefined;
  const isTyped = new Set(auth.sessionSecret).size < FEW_CHARACTERS;
  const isUnset = missing.includes('NEXT_PUBLIC_APP_URL');
  return [
    check('public address', { fix: isUnset && 'Set NEXT_PUBLIC_APP_URL.', ok: http.publicUrl }),
    check('sign-in', {
      fix: auth.disabled && 'AUTH_DISABLED=true makes everyone an administrator. Unset it.',
      ok: 'enabled',
    }),
    check('signing key', {
      fix: problem && SIGNING_KEY_ADVICE[problem],
      note: isTyped && 'SESSION_SECRET is long enough, but does not look random.',
      ok: 'present and long enough; it must be the same on every replica',
    }),
    check('former key', {
      fix: isRotated && former.problem && `Correct or unset SESSION_SECRET_PREVIOUS (${former.problem}).`,
      note: former.key && 'Unset SESSION_SECRET_PREVIOUS 8 hours after the change of SESSION_SECRET.',
      ok: 'none',
    }),
  ];
}

const CALLBACK = '/api/auth/callback';

function clientChecks({ http, production }: Settings, oidc: OidcSettings): readonly CheckResult[] {
  const { protocol, origin, pathname } = new URL(oidc.redirectUri);
  const isPlain = production && protocol !== 'https:';
  const isHere = new URL(http.publicUrl).origin === origin && pathname.endsWith(CALLBACK);
  const register = `register this redirect URI at the provider, to the letter: ${oidc.redirectUri}`;
  const elsewhere = `OIDC_REDIRECT_URI leads to ${CALLBACK} of NEXT_PUBLIC_APP_URL only behind a proxy that rewrites it`;
  const method = methodOf(oidc);
  const problem = issuerProblem(oidc);
  return [
    check('redirect URI', {
      fix: isPlain && 'In production it must be https. Set NEXT_PUBLIC_APP_URL or OIDC_REDIRECT_URI.',
      note: !isHere && `${elsewhere}; ${register}`,
      ok: register,
    }),
    ok('client', method === 'none' ? 'public: register it as such, with PKCE' : `confidential, by ${method}`),
    check('issuer address', {
      fix: problem && LOGIN_FAILURES[problem],
      ok: 'https, or http on a loopback host',
    }),
  ];
}

/** How the client authenticates; `none` without a secret. */
function methodOf({ clientSecret, clientAuthMethod }: OidcSettings): string {
  return clientSecret === undefined ? 'none' : clientAuthMethod;
}

/** ID tokens are checked with this tolerance. */
const TOLERATED_SKEW_SECONDS = 30;
/** Up to this skew most logins still work, because ID tokens are valid for longer. */
const MAX_SKEW_SECONDS = 300;

/** The Date header has whole seconds, and the response took some time. Both are allowed for. */
function clock(date: string | null, sentAtMs: number, answeredMs: number): CheckResult {
  const theirs = Date.parse(date ?? '');
  if (Number.isNaN(theirs)) return note('clock', 'not compared: the provider sends no Date');
  const ahead = (theirs - answeredMs) / 1_000;
  const behind = (sentAtMs - theirs - 1_000) / 1_000;
  const skew = Math.round(Math.max(ahead, behind, 0));
  const text = `${skew} seconds apart from the provider's. Synchronise the clocks.`;
  return check('clock', {
    fix: skew > MAX_SKEW_SECONDS && text,
    note: skew > TOLERATED_SKEW_SECONDS && text,
    ok: `within ${TOLERATED_SKEW_SECONDS} seconds of the provider's`,
  });
}

const ACCEPTED_ALGORITHM = /^((RS|PS|ES)(256|384|512)|EdDSA|Ed25519|ML-DSA-(44|65|87))$/;

/** Whether the provider offers what the protocol needs. */
function protocolChecks(document: DiscoveryDocument, oidc: OidcSettings): readonly CheckResult[] {
  const problems = documentProblems(document, oidc);
  const adviceOn = (...codes: readonly LoginFailureCode[]) =>
    problems.find(({ code }) => codes.includes(code))?.advice;
  const offersS256 = listOf(document, 'code_challenge_methods_supported')?.includes('S256');
  const method = methodOf(oidc);
  // OpenID Connect Discovery 1.0, section 3: the default if the document does not name any.
  const methods = listOf(document, 'token_endpoint_auth_methods_supported') ?? ['client_secret_basic'];
  const isOffered = methods.includes(method);
  const algorithms = listOf(document, 'id_token_signing_alg_values_supported') ?? ['RS256'];
  const isSignedWell = algorithms.some((algorithm) => ACCEPTED_ALGORITHM.test(algorithm));
  return [
    check('issuer', { fix: adviceOn('issuer_mismatch'), ok: 'equals the one of the discovery document' }),
    check('endpoints', { fix: adviceOn('missing_endpoint', 'insecure_endpoint'), ok: 'all secure' }),
    check('PKCE', {
      fix: offersS256 === false && 'The provider does not offer S256. Enable it for this client.',
      note: offersS256 === undefined && 'Not announced. Make sure that the provider accepts S256.',
      ok: 'S256 offered',
    }),
    check('client authentication', {
      fix: !isOffered && method !== 'none' && `${method} is not offered. Change OIDC_CLIENT_AUTH_METHOD.`,
      note: !isOffered && 'The provider announces no public clients. It may want OIDC_CLIENT_SECRET.',
      ok: `${method} offered`,
    }),
    check('ID token signature', {
      fix: !isSignedWell && 'Have the provider sign with RS256, ES256 or EdDSA; HMAC and none are refused.',
      ok: 'an accepted algorithm is offered',
    }),
  ];
}

/** Whether the provider announces what the settings take from it. */
function claimChecks(document: DiscoveryDocument, oidc: OidcSettings): readonly CheckResult[] {
  const { scopes, groupsClaim, postLogoutRedirectUri: back } = oidc;
  const offered = listOf(document, 'scopes_supported') ?? [];
  const missing = scopes.filter((scope) => !offered.includes(scope)).join(' ');
  const claims = listOf(document, 'claims_supported') ?? [];
  const isAnnounced = claims.some((name) => name === groupsClaim || name === groupsClaim.split('.')[0]);
  const hasUserInfo = typeof document['userinfo_endpoint'] === 'string';
  const hasLogout = typeof document['end_session_endpoint'] === 'string';
  return [
    check('scopes', {
      note: missing !== '' && `Not announced: ${missing}. After invalid_scope, take them out of OIDC_SCOPES.`,
      ok: `all offered: ${scopes.join(' ')}`,
    }),
    check('groups claim', {
      note: !isAnnounced && `${groupsClaim} is not announced. Without it, no one has groups.`,
      ok: `${groupsClaim} announced`,
    }),
    check('UserInfo', {
      note: !hasUserInfo && 'There is no such endpoint: everything must be in the ID token.',
      ok: 'its claims are merged with those of the ID token',
    }),
    ...(back === undefined
      ? []
      : [
          check('logout', {
            note:
              !hasLogout && 'The provider announces no end_session_endpoint: OIDC_RP_LOGOUT has no effect.',
            ok: `register ${back} as a URI to come back to after a logout`,
          }),
        ]),
  ];
}

function listOf(document: DiscoveryDocument, name: string): readonly string[] | undefined {
  const value = document[name];
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : undefined;
}

async function signingKeys(document: DiscoveryDocument, request: ProviderRequest): Promise<CheckResult> {
  const step = 'signing keys';
  const address = document['jwks_uri'];
  if (typeof address !== 'string') return fix(step, 'The provider announces no jwks_uri.');
  try {
    const { keys } = (await readPublished(address, request)).document;
    const count = Array.isArray(keys) ? keys.length : 0;
    return check(step, {
      fix: count === 0 && 'The provider publishes no keys, so that no ID token can be checked.',
      ok: `${count} published (HTTP 200)`,
    });
  } catch (error) {
    return unreachable(step, error, 'keys');
  }
}
