import * as client from 'openid-client';
import type { OidcSettings } from '../../config/settings.ts';
import { isObject } from '../../contract/token-claims.ts';
import { clientAuthentication } from '../login/provider.ts';
import { classifyErrorCode } from '../login/translate-failure.ts';
import type { ProviderRequest } from '../login/provider-requests.ts';
import type { DiscoveryDocument } from '../login/provider-rules.ts';
import { check, unreachable, type CheckResult } from './check-result.ts';

const STEP = 'token endpoint';

/**
 * Checks the client at the token endpoint: it redeems a made-up code exactly as a login redeems its own. A provider
 * that accepts the client refuses the code (`invalid_grant`, RFC 6749, section 5.2).
 */
export async function probeClient(
  document: DiscoveryDocument,
  oidc: OidcSettings,
  request: ProviderRequest,
): Promise<readonly CheckResult[]> {
  const endpoint = document['token_endpoint'];
  // The checks of the document report both. The secret is sent to the configured provider only.
  if (typeof endpoint !== 'string' || document['issuer'] !== oidc.issuer) return [];
  const headers = new Headers({ accept: 'application/json' });
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: client.randomState(),
    redirect_uri: oidc.redirectUri,
    code_verifier: client.randomPKCECodeVerifier(),
  });
  const server = { ...document, issuer: oidc.issuer };
  clientAuthentication(oidc)(server, { client_id: oidc.clientId }, body, headers);
  try {
    return [await judged(await request(endpoint, { method: 'POST', headers, body }), oidc)];
  } catch (error) {
    return [unreachable(STEP, error, 'token')];
  }
}

/** An `invalid_grant` is about the code, whatever its status: the client was accepted. */
async function judged(response: Response, oidc: OidcSettings): Promise<CheckResult> {
  const answer: unknown = await response.json().catch(() => undefined); // An error page. Its status is enough.
  const given = isObject(answer) ? answer['error'] : undefined;
  // Glewlwyd answers 403 with an error code of its own for a code that it has not issued.
  const error = given === 'invalid_code' ? 'invalid_grant' : given && classifyErrorCode(given);
  const { status } = response;
  const shown = error === undefined ? `HTTP ${status}` : `HTTP ${status} ${error}`;
  const isAccepted = error === 'invalid_grant';
  const isRefused = status === 401 || error === 'invalid_client' || error === 'unauthorized_client';
  return check(STEP, {
    fix: !isAccepted && isRefused && `(${shown}) The provider does not accept the client. ${cureFor(oidc)}`,
    note: !isAccepted && `(${shown}) The provider does not say whether it accepts the client.`,
    ok: `the provider accepts the client, and refuses a made-up code as it should (${shown})`,
  });
}

function cureFor({ clientSecret, clientAuthMethod }: OidcSettings): string {
  const grant = 'correct OIDC_CLIENT_ID, or allow it the authorization code grant';
  if (clientSecret === undefined) {
    return `Set OIDC_CLIENT_SECRET, make the client public at the provider, ${grant}.`;
  }
  const other = clientAuthMethod === 'client_secret_basic' ? 'client_secret_post' : 'client_secret_basic';
  return `Set OIDC_CLIENT_AUTH_METHOD=${other}, correct OIDC_CLIENT_SECRET or unset it for a public client, ${grant}.`;
}
