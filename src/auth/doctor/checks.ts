import { credentialProblem } from '../../config/oddities.ts';
import type { OidcSettings, Settings } from '../../config/settings.ts';
import { LOGIN_FAILURES } from '../login/login-failure.ts';
import {
  documentProblems,
  issuerProblem,
  type DiscoveryDocument,
  type ProviderProblem,
} from '../login/provider-rules.ts';
import { formerKeyProblem, readSigningKey, SIGNING_KEY_ADVICE } from '../session/sessions.ts';
import { fix, note, ok, type CheckResult } from './check-result.ts';

/** The checks of the settings alone, in the order of a login. What sends a request is called a probe. */
export function examineSettings({ auth, http, missing, production }: Settings): readonly CheckResult[] {
  return [
    ...(missing.includes('NEXT_PUBLIC_APP_URL') ? [fix('public address', 'Set NEXT_PUBLIC_APP_URL.')] : []),
    authEnabled(auth.disabled),
    signingKey(auth.sessionSecret),
    ...formerKey(auth.previousSessionSecret),
    ...(auth.oidc === undefined
      ? [fix('provider', LOGIN_FAILURES.not_configured)]
      : [redirectUri(auth.oidc, http.publicUrl, production), client(auth.oidc), issuerAddress(auth.oidc)]),
  ];
}

function authEnabled(disabled: boolean): CheckResult {
  return disabled
    ? fix('sign-in', 'AUTH_DISABLED=true makes everyone an administrator. Unset it.')
    : ok('sign-in', 'enabled');
}

/** A key with fewer different characters looks typed by hand rather than random. */
const FEW_CHARACTERS = 10;

function signingKey(secret: string | undefined): CheckResult {
  const { problem } = readSigningKey(secret);
  if (problem !== undefined) return fix('signing key', SIGNING_KEY_ADVICE[problem]);
  return new Set(secret).size < FEW_CHARACTERS
    ? note('signing key', 'SESSION_SECRET is long enough, but does not look random.')
    : ok('signing key', 'present and long enough; it must be the same on every replica');
}

function formerKey(secret: string | undefined): readonly CheckResult[] {
  if (secret === undefined) return [];
  const problem = formerKeyProblem(secret);
  const text =
    problem === undefined
      ? 'SESSION_SECRET_PREVIOUS is still accepted; unset it 8 hours after the change of SESSION_SECRET'
      : `SESSION_SECRET_PREVIOUS is not accepted (${problem}); set it to the former key, or unset it.`;
  return [problem === undefined ? note('former key', text) : fix('former key', text)];
}

const CALLBACK = '/api/auth/callback';

function redirectUri({ redirectUri }: OidcSettings, publicUrl: string, production: boolean): CheckResult {
  const { protocol, origin, pathname } = new URL(redirectUri);
  if (production && protocol !== 'https:') {
    return fix(
      'redirect URI',
      'In production it must be https. Set NEXT_PUBLIC_APP_URL or OIDC_REDIRECT_URI.',
    );
  }
  const text = `register this redirect URI at the provider, to the letter: ${redirectUri}`;
  if (new URL(publicUrl).origin !== origin) {
    const why =
      'OIDC_REDIRECT_URI is not at the address of NEXT_PUBLIC_APP_URL, which has the cookies of a login';
    return note('redirect URI', `${why}; ${text}`);
  }
  if (!pathname.endsWith(CALLBACK)) {
    const why = `the service answers ${CALLBACK}, where OIDC_REDIRECT_URI does not lead unless a proxy rewrites it`;
    return note('redirect URI', `${why}; ${text}`);
  }
  return ok('redirect URI', text);
}

function client({ clientId, clientSecret, clientAuthMethod }: OidcSettings): CheckResult {
  const text =
    clientSecret === undefined
      ? 'public (no OIDC_CLIENT_SECRET): register it as a public client with PKCE'
      : `confidential, authenticates by ${clientAuthMethod}`;
  const problems = Object.entries({ OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret })
    .map(([name, value]) => [name, credentialProblem(value)] as const)
    .flatMap(([name, problem]) => (problem === undefined ? [] : `${name} ${problem}`));
  return problems.length === 0 ? ok('client', text) : note('client', `${text}. ${problems.join('. ')}.`);
}

function issuerAddress(oidc: OidcSettings): CheckResult {
  const text = oidc.issuer.startsWith('https:') ? 'https' : 'plain http on a loopback host';
  return unless(issuerProblem(oidc), ok('issuer address', text));
}

function unless(problem: ProviderProblem | undefined, fulfilled: CheckResult): CheckResult {
  return problem === undefined ? fulfilled : fix(problem.step, problem.advice);
}

/** Checks a discovery document for what sign-in needs. */
export function examineDocument(document: DiscoveryDocument, oidc: OidcSettings): readonly CheckResult[] {
  const problems = documentProblems(document, oidc);
  const firstOf = (step: string) => problems.find((problem) => problem.step === step);
  return [
    unless(firstOf('issuer'), ok('issuer', 'equals the one of the discovery document')),
    unless(firstOf('endpoints'), ok('endpoints', 'all secure')),
    pkce(document),
    clientAuthentication(document, oidc),
    algorithms(document),
    scopes(document, oidc),
    groupsClaim(document, oidc),
    userInfo(document),
    ...logout(document, oidc),
  ];
}

function pkce(document: DiscoveryDocument): CheckResult {
  const methods = listOf(document, 'code_challenge_methods_supported');
  if (methods === undefined) {
    return note('PKCE', 'The provider does not announce it. Make sure that it accepts S256.');
  }
  return methods.includes('S256')
    ? ok('PKCE', 'S256 offered')
    : fix('PKCE', 'The provider does not offer S256. Enable it for this client.');
}

function clientAuthentication(document: DiscoveryDocument, oidc: OidcSettings): CheckResult {
  const wanted = oidc.clientSecret === undefined ? 'none' : oidc.clientAuthMethod;
  // OpenID Connect Discovery 1.0, section 3: the default if the document does not name any.
  const offered = listOf(document, 'token_endpoint_auth_methods_supported') ?? ['client_secret_basic'];
  if (offered.includes(wanted)) return ok('client authentication', `${wanted} offered`);
  return wanted === 'none'
    ? note(
        'client authentication',
        'The provider announces no public clients. It may want OIDC_CLIENT_SECRET.',
      )
    : fix('client authentication', `The provider does not offer ${wanted}. Change OIDC_CLIENT_AUTH_METHOD.`);
}

const ACCEPTED_ALGORITHM = /^((RS|PS|ES)(256|384|512)|EdDSA|Ed25519|ML-DSA-(44|65|87))$/;

function algorithms(document: DiscoveryDocument): CheckResult {
  const offered = listOf(document, 'id_token_signing_alg_values_supported') ?? ['RS256'];
  return offered.some((algorithm) => ACCEPTED_ALGORITHM.test(algorithm))
    ? ok('ID token signature', 'an accepted algorithm is offered')
    : fix(
        'ID token signature',
        'Have the provider sign with RS256, ES256 or EdDSA; HMAC and none are refused.',
      );
}

function scopes(document: DiscoveryDocument, oidc: OidcSettings): CheckResult {
  const offered = listOf(document, 'scopes_supported');
  if (offered === undefined) return note('scopes', 'The provider does not announce its scopes.');
  const missing = oidc.scopes.filter((scope) => !offered.includes(scope));
  return missing.length === 0
    ? ok('scopes', `all offered: ${oidc.scopes.join(' ')}`)
    : note(
        'scopes',
        `Not announced: ${missing.join(' ')}. If the login fails with invalid_scope, leave them out of OIDC_SCOPES.`,
      );
}

function groupsClaim(document: DiscoveryDocument, oidc: OidcSettings): CheckResult {
  const offered = listOf(document, 'claims_supported');
  const name = oidc.groupsClaim;
  if (offered === undefined) return note('groups claim', 'The provider does not announce its claims.');
  return offered.includes(name) || offered.includes(name.split('.')[0] ?? name)
    ? ok('groups claim', `${name} announced`)
    : note(
        'groups claim',
        `${name} is not announced. Check that the provider sends it; otherwise no one has groups.`,
      );
}

function userInfo(document: DiscoveryDocument): CheckResult {
  return typeof document['userinfo_endpoint'] === 'string'
    ? ok('UserInfo', 'its claims are merged with those of the ID token')
    : note('UserInfo', 'There is no such endpoint: everything must be in the ID token.');
}

function logout(
  document: DiscoveryDocument,
  { postLogoutRedirectUri }: OidcSettings,
): readonly CheckResult[] {
  if (postLogoutRedirectUri === undefined) return [];
  return typeof document['end_session_endpoint'] === 'string'
    ? [ok('logout', `register ${postLogoutRedirectUri} as a URI to come back to after a logout`)]
    : [note('logout', 'The provider announces no end_session_endpoint: OIDC_RP_LOGOUT has no effect.')];
}

function listOf(document: DiscoveryDocument, name: string): readonly string[] | undefined {
  const value = document[name];
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : undefined;
}
