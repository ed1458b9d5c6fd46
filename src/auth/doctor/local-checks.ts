import { credentialProblem } from '../../config/oddities.ts';
import type { OidcSettings, Settings } from '../../config/settings.ts';
import { isSecureAddress } from '../login/provider-requests.ts';
import { formerKeyProblem, readSigningKey, SIGNING_KEY_ADVICE } from '../session/signing-key.ts';
import { fix, note, ok, type CheckResult } from './check-result.ts';

/** The checks that need no request to the provider, in the order of a login. */
export function examineSettings({ auth, http, missing, production }: Settings): readonly CheckResult[] {
  return [
    ...(missing.includes('NEXT_PUBLIC_APP_URL') ? [fix('public address', 'Set NEXT_PUBLIC_APP_URL.')] : []),
    authEnabled(auth.disabled),
    signingKey(auth.sessionSecret),
    ...formerKey(auth.previousSessionSecret),
    ...(auth.oidc === undefined
      ? [fix('provider', 'Set OIDC_ISSUER and OIDC_CLIENT_ID.')]
      : [
          redirectUri(auth.oidc, http.publicUrl, production),
          client(auth.oidc),
          issuerAddress(auth.oidc, production),
        ]),
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

function issuerAddress(oidc: OidcSettings, production: boolean): CheckResult {
  if (!isSecureAddress(oidc.issuer, { allowHttp: oidc.allowHttp, production })) {
    return fix(
      'issuer address',
      'OIDC_ISSUER must be https. Plain http needs OIDC_ALLOW_HTTP=true, a loopback host, and no production.',
    );
  }
  if (oidc.issuer.includes('/.well-known/')) {
    return fix('issuer address', 'OIDC_ISSUER is the issuer identifier: leave /.well-known/… away.');
  }
  return ok('issuer address', oidc.issuer.startsWith('https:') ? 'https' : 'plain http on a loopback host');
}
