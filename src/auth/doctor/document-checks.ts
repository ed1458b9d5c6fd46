import type { OidcSettings } from '../../config/settings.ts';
import { isSecureAddress, type AddressPolicy } from '../login/provider-requests.ts';
import { fix, note, ok, type CheckResult } from './check-result.ts';

/** A discovery document, as the provider sent it. */
export type DiscoveryDocument = Readonly<Record<string, unknown>>;

/** Checks a discovery document for what sign-in needs. */
export function examineDocument(
  document: DiscoveryDocument,
  oidc: OidcSettings,
  policy: AddressPolicy,
): readonly CheckResult[] {
  return [
    issuerEqual(document, oidc),
    endpoints(document, policy),
    pkce(document),
    clientAuthentication(document, oidc),
    algorithms(document),
    scopes(document, oidc),
    groupsClaim(document, oidc),
    userInfo(document),
    ...logout(document, oidc),
  ];
}

function issuerEqual({ issuer }: DiscoveryDocument, oidc: OidcSettings): CheckResult {
  if (issuer === oidc.issuer) return ok('issuer', 'equals the one of the discovery document');
  return fix(
    'issuer',
    `OIDC_ISSUER must equal the discovery document's issuer to the letter${quoted(issuer)}.`,
  );
}

/** Quotes the issuer only if it can be nothing but an address. */
function quoted(issuer: unknown): string {
  if (typeof issuer !== 'string' || !/^https?:\/\/[\w.:/~%[\]-]{1,300}$/.test(issuer)) return '';
  return `, which is ${issuer}`;
}

const NEEDED = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

function endpoints(document: DiscoveryDocument, policy: AddressPolicy): CheckResult {
  const missing = NEEDED.filter((name) => typeof document[name] !== 'string');
  if (missing.length > 0) return fix('endpoints', `The provider announces no ${missing.join(', no ')}.`);
  const insecure = Object.entries(document)
    .filter(([name]) => /^[a-z_]{1,60}_endpoint$|^jwks_uri$/.test(name))
    .filter(([, address]) => typeof address !== 'string' || !isSecureAddress(address, policy))
    .map(([name]) => name);
  return insecure.length > 0
    ? fix('endpoints', `The provider must offer these over https: ${insecure.join(', ')}.`)
    : ok('endpoints', 'all secure');
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
