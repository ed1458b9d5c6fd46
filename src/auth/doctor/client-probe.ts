import * as client from 'openid-client';
import type { OidcSettings } from '../../config/settings.ts';
import type { IdpError } from '../../contract/login-errors.ts';
import { isObject } from '../../contract/json-text.ts';
import { clientAuthentication } from '../login/provider.ts';
import type { ProviderRequest } from '../login/provider-requests.ts';
import type { DiscoveryDocument } from '../login/provider-rules.ts';
import { classifyErrorCode } from '../login/translate-failure.ts';
import { fix, note, ok, unreachable } from './check-result.ts';

const STEP = 'token endpoint';

/**
 * Checks the client at the token endpoint: it redeems a made-up code exactly as a login redeems its own. A provider
 * that accepts the client refuses the code (`invalid_grant`, RFC 6749, section 5.2).
 */
export async function probeClient(document: DiscoveryDocument, oidc: OidcSettings, request: ProviderRequest) {
  const endpoint = document['token_endpoint'];
  // The checks of the document report both. The secret is sent to the configured provider only.
  if (typeof endpoint !== 'string' || document['issuer'] !== oidc.issuer) return [];
  const redeem = (settings: OidcSettings) => redeemMadeUpCode(endpoint, settings, request);
  try {
    const { isAccepted, shown } = await redeem(oidc);
    if (isAccepted === undefined) {
      return [note(STEP, `(${shown}) The provider does not say whether it accepts the client.`)];
    }
    if (isAccepted)
      return [ok(STEP, `the provider accepts the client, and refuses a made-up code (${shown})`)];
    return [fix(STEP, `(${shown}) The provider does not accept the client. ${await cureFor(oidc, redeem)}`)];
  } catch (error) {
    return [unreachable(STEP, error, 'token')];
  }
}

/** What the provider says about the client: the status, and the error where the response has one. */
async function redeemMadeUpCode(endpoint: string, oidc: OidcSettings, request: ProviderRequest) {
  const headers = new Headers({ accept: 'application/json' });
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: client.randomState(),
    redirect_uri: oidc.redirectUri,
    code_verifier: client.randomPKCECodeVerifier(),
  });
  clientAuthentication(oidc)({ issuer: oidc.issuer }, { client_id: oidc.clientId }, body, headers);
  const response = await request(endpoint, { method: 'POST', headers, body });
  const answer: unknown = await response.json().catch(() => undefined); // An error page. Its status is enough.
  const { status } = response;
  if (!isObject(answer) || !('error' in answer)) {
    return { isAccepted: judged(status, undefined), shown: `HTTP ${status}` };
  }
  // Glewlwyd answers 403 with an error code of its own for a code that it has not issued.
  const error = answer['error'] === 'invalid_code' ? 'invalid_grant' : classifyErrorCode(answer['error']);
  return { isAccepted: judged(status, error), shown: `HTTP ${status} ${error}` };
}

/** An `invalid_grant` is about the code, whatever its status: the client was accepted. Undefined if that is unclear. */
function judged(status: number, error: IdpError | undefined): boolean | undefined {
  if (error === 'invalid_grant') return true;
  return status === 401 || error === 'invalid_client' || error === 'unauthorized_client' ? false : undefined;
}

/** What the provider would accept instead of the settings. Sends at most two more requests. */
async function cureFor(
  oidc: OidcSettings,
  redeem: (settings: OidcSettings) => ReturnType<typeof redeemMadeUpCode>,
): Promise<string> {
  const grant = 'or allow it the authorization code grant';
  if (oidc.clientSecret === undefined) {
    return `Set OIDC_CLIENT_SECRET, make the client public at the provider, correct OIDC_CLIENT_ID, ${grant}.`;
  }
  const other =
    oidc.clientAuthMethod === 'client_secret_basic' ? 'client_secret_post' : 'client_secret_basic';
  const byOther = await redeem({ ...oidc, clientAuthMethod: other });
  if (byOther.isAccepted) return `With ${other} it does: set OIDC_CLIENT_AUTH_METHOD=${other}.`;
  const byNone = await redeem({ ...oidc, clientSecret: undefined });
  if (byNone.isAccepted) return 'Without a secret it does: unset OIDC_CLIENT_SECRET.';
  return `Correct OIDC_CLIENT_ID or OIDC_CLIENT_SECRET, ${grant}. ${other} is not accepted either.`;
}
