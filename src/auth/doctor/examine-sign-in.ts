import { credentialProblem } from '../../config/oddities.ts';
import type { OidcSettings, Settings } from '../../config/settings.ts';
import { LOGIN_FAILURES } from '../login/login-failure.ts';
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
export async function examineSignIn({ settings, fetch, now }: Examination): Promise<readonly CheckResult[]> {
  const { oidc } = settings.auth;
  const local = keyChecks(settings);
  if (oidc === undefined) return [...local, fix('provider', LOGIN_FAILURES.not_configured)];
  local.push(...clientChecks(settings, oidc));
  if (issuerProblem(oidc) !== undefined) return local;
  const request = createProviderFetch({ fetch, allowHttp: oidc.allowHttp });
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
      ...(await probeClient({ document, oidc, request })),
    ];
  } catch (error) {
    return [...local, unreachable('discovery', error, 'discovery')];
  }
}

/** A key with fewer different characters looks typed by hand rather than random. */
const FEW_CHARACTERS = 10;

function keyChecks({ auth, missing }: Settings): CheckResult[] {
  const { sessionSecret, previousSessionSecret } = auth;
  const { problem } = readSigningKey(sessionSecret);
  const formerProblem = readSigningKey(previousSessionSecret).problem;
  const results = [
    check('sign-in', {
      fix: auth.disabled && 'AUTH_DISABLED=true makes everyone an administrator. Unset it.',
      ok: 'enabled',
    }),
    check('signing key', {
      fix: problem && SIGNING_KEY_ADVICE[problem],
      note:
        new Set(sessionSecret).size < FEW_CHARACTERS &&
        'SESSION_SECRET is long enough, but does not look random.',
      ok: 'present and long enough; it must be the same on every replica',
    }),
  ];
  if (missing.includes('NEXT_PUBLIC_APP_URL')) {
    results.unshift(fix('public address', 'Set NEXT_PUBLIC_APP_URL.'));
  }
  if (previousSessionSecret !== undefined) {
    const accepted =
      'SESSION_SECRET_PREVIOUS is still accepted; unset it 8 hours after the change of SESSION_SECRET';
    const refused = `SESSION_SECRET_PREVIOUS is not accepted (${formerProblem}); set it to the former key, or unset it.`;
    results.push(formerProblem === undefined ? note('former key', accepted) : fix('former key', refused));
  }
  return results;
}

const CALLBACK = '/api/auth/callback';

function clientChecks({ http, production }: Settings, oidc: OidcSettings): readonly CheckResult[] {
  const { redirectUri, clientId, clientSecret } = oidc;
  const { protocol, origin, pathname } = new URL(redirectUri);
  const register = `register this redirect URI at the provider, to the letter: ${redirectUri}`;
  const elsewhere =
    new URL(http.publicUrl).origin !== origin
      ? 'OIDC_REDIRECT_URI is not at the address of NEXT_PUBLIC_APP_URL, which has the cookies of a login'
      : `the service answers ${CALLBACK}, where OIDC_REDIRECT_URI does not lead unless a proxy rewrites it`;
  const isHere = new URL(http.publicUrl).origin === origin && pathname.endsWith(CALLBACK);
  const client =
    clientSecret === undefined
      ? 'public (no OIDC_CLIENT_SECRET): register it as a public client with PKCE'
      : `confidential, authenticates by ${oidc.clientAuthMethod}`;
  const problems = Object.entries({ OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret })
    .map(([name, value]) => [name, credentialProblem(value)] as const)
    .flatMap(([name, problem]) => (problem === undefined ? [] : `${name} ${problem}`));
  return [
    check('redirect URI', {
      fix:
        production &&
        protocol !== 'https:' &&
        'In production it must be https. Set NEXT_PUBLIC_APP_URL or OIDC_REDIRECT_URI.',
      note: !isHere && `${elsewhere}; ${register}`,
      ok: register,
    }),
    check('client', { note: problems.length > 0 && `${client}. ${problems.join('. ')}.`, ok: client }),
    check('issuer address', {
      fix: issuerProblem(oidc)?.advice,
      ok: oidc.issuer.startsWith('https:') ? 'https' : 'plain http on a loopback host',
    }),
  ];
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
  const adviceOn = (step: string) => problems.find((problem) => problem.step === step)?.advice;
  const challenges = listOf(document, 'code_challenge_methods_supported');
  // OpenID Connect Discovery 1.0, section 3: the default if the document does not name any.
  const methods = listOf(document, 'token_endpoint_auth_methods_supported') ?? ['client_secret_basic'];
  const wanted = oidc.clientSecret === undefined ? 'none' : oidc.clientAuthMethod;
  const isOffered = methods.includes(wanted);
  const algorithms = listOf(document, 'id_token_signing_alg_values_supported') ?? ['RS256'];
  return [
    check('issuer', { fix: adviceOn('issuer'), ok: 'equals the one of the discovery document' }),
    check('endpoints', { fix: adviceOn('endpoints'), ok: 'all secure' }),
    check('PKCE', {
      fix:
        challenges?.includes('S256') === false &&
        'The provider does not offer S256. Enable it for this client.',
      note: challenges === undefined && 'The provider does not announce it. Make sure that it accepts S256.',
      ok: 'S256 offered',
    }),
    check('client authentication', {
      fix:
        !isOffered &&
        wanted !== 'none' &&
        `The provider does not offer ${wanted}. Change OIDC_CLIENT_AUTH_METHOD.`,
      note: !isOffered && 'The provider announces no public clients. It may want OIDC_CLIENT_SECRET.',
      ok: `${wanted} offered`,
    }),
    check('ID token signature', {
      fix:
        !algorithms.some((algorithm) => ACCEPTED_ALGORITHM.test(algorithm)) &&
        'Have the provider sign with RS256, ES256 or EdDSA; HMAC and none are refused.',
      ok: 'an accepted algorithm is offered',
    }),
  ];
}

/** Whether the provider announces what the settings take from it. */
function claimChecks(document: DiscoveryDocument, oidc: OidcSettings): readonly CheckResult[] {
  const scopes = listOf(document, 'scopes_supported');
  const missing = oidc.scopes.filter((scope) => scopes?.includes(scope) !== true).join(' ');
  const claims = listOf(document, 'claims_supported');
  const { groupsClaim, postLogoutRedirectUri } = oidc;
  const isAnnounced = [groupsClaim, groupsClaim.split('.')[0]].some((name) => claims?.includes(name ?? ''));
  const results = [
    check('scopes', {
      note:
        scopes === undefined
          ? 'The provider does not announce its scopes.'
          : missing !== '' &&
            `Not announced: ${missing}. If the login fails with invalid_scope, leave them out of OIDC_SCOPES.`,
      ok: `all offered: ${oidc.scopes.join(' ')}`,
    }),
    check('groups claim', {
      note:
        claims === undefined
          ? 'The provider does not announce its claims.'
          : !isAnnounced &&
            `${groupsClaim} is not announced. Check that the provider sends it; otherwise no one has groups.`,
      ok: `${groupsClaim} announced`,
    }),
    check('UserInfo', {
      note:
        typeof document['userinfo_endpoint'] !== 'string' &&
        'There is no such endpoint: everything must be in the ID token.',
      ok: 'its claims are merged with those of the ID token',
    }),
  ];
  if (postLogoutRedirectUri === undefined) return results;
  const logout = check('logout', {
    note:
      typeof document['end_session_endpoint'] !== 'string' &&
      'The provider announces no end_session_endpoint: OIDC_RP_LOGOUT has no effect.',
    ok: `register ${postLogoutRedirectUri} as a URI to come back to after a logout`,
  });
  return [...results, logout];
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
