import * as client from 'openid-client';
import type { OidcSettings } from '../../config/settings.ts';
import { clientAuthentication } from '../login/provider.ts';
import type { IdpError } from '../../contract/login-errors.ts';
import { classifyErrorCode } from '../login/translate-failure.ts';
import type { ProviderRequest } from '../login/provider-requests.ts';
import type { DiscoveryDocument } from '../login/provider-rules.ts';
import { fix, note, ok, unreachable, type CheckResult } from './check-result.ts';

export interface ClientProbe {
  readonly document: DiscoveryDocument;
  readonly oidc: OidcSettings;
  readonly request: ProviderRequest;
}

const STEP = 'token endpoint';

/**
 * Checks the client at the token endpoint: it redeems a made-up code exactly as a login redeems its own. A provider
 * that accepts the client refuses the code (`invalid_grant`, RFC 6749, section 5.2).
 */
export async function probeClient(probe: ClientProbe): Promise<readonly CheckResult[]> {
  const { document, oidc } = probe;
  const endpoint = document['token_endpoint'];
  // The checks of the document report both. The secret is sent to the configured provider only.
  if (typeof endpoint !== 'string' || document['issuer'] !== oidc.issuer) return [];
  try {
    const { verdict, shown } = await redeemMadeUpCode(endpoint, probe);
    if (verdict === 'accepted') {
      const text = 'the provider accepts the client, and refuses a made-up code as it should';
      return [ok(STEP, `${text} (${shown})`)];
    }
    if (verdict === 'unclear') {
      return [note(STEP, `(${shown}) The provider does not say whether it accepts the client.`)];
    }
    const cure = (await workingAlternative(endpoint, probe)) ?? cureFor(oidc);
    return [fix(STEP, `(${shown}) The provider does not accept the client. ${cure}`)];
  } catch (error) {
    return [unreachable(STEP, error, 'token')];
  }
}

/** What the provider says about the client. */
interface Judgement {
  readonly verdict: 'accepted' | 'refused' | 'unclear';
  /** The status, and the error where the response has one. */
  readonly shown: string;
}

async function redeemMadeUpCode(
  endpoint: string,
  { document, oidc, request }: ClientProbe,
): Promise<Judgement> {
  const headers = new Headers({ accept: 'application/json' });
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: client.randomState(),
    redirect_uri: oidc.redirectUri,
    code_verifier: client.randomPKCECodeVerifier(),
  });
  const server = { ...document, issuer: oidc.issuer };
  clientAuthentication(oidc)(server, { client_id: oidc.clientId }, body, headers);
  const response = await request(endpoint, { method: 'POST', headers, body });
  const answer: unknown = await response.json().catch(() => undefined); // An error page. Its status is enough.
  const { status } = response;
  const hasError = typeof answer === 'object' && answer !== null && 'error' in answer;
  if (!hasError) return { verdict: status === 401 ? 'refused' : 'unclear', shown: `HTTP ${status}` };
  const error = classifiedError(answer.error);
  return { verdict: judged(status, error), shown: `HTTP ${status} ${error}` };
}

/** Glewlwyd answers 403 with an error code of its own for a code that it has not issued. */
function classifiedError(error: unknown): IdpError {
  return error === 'invalid_code' ? 'invalid_grant' : classifyErrorCode(error);
}

/** An `invalid_grant` is about the code, whatever its status: the client was accepted. */
function judged(status: number, error: IdpError): Judgement['verdict'] {
  if (error === 'invalid_grant') return 'accepted';
  if (status === 401 || error === 'invalid_client' || error === 'unauthorized_client') return 'refused';
  return 'unclear';
}

/** What the provider would accept instead of the settings. Sends at most two more requests. */
async function workingAlternative(endpoint: string, probe: ClientProbe): Promise<string | undefined> {
  const { oidc } = probe;
  if (oidc.clientSecret === undefined) return undefined;
  const method = otherMethod(oidc);
  const alternatives: readonly (readonly [oidc: OidcSettings, cure: string])[] = [
    [{ ...oidc, clientAuthMethod: method }, `With ${method} it does: set OIDC_CLIENT_AUTH_METHOD=${method}.`],
    [
      { ...oidc, clientSecret: undefined },
      'Without a secret it does: unset OIDC_CLIENT_SECRET, or make the client confidential at the provider.',
    ],
  ];
  for (const [settings, cure] of alternatives) {
    const { verdict } = await redeemMadeUpCode(endpoint, { ...probe, oidc: settings });
    if (verdict === 'accepted') return cure;
  }
  return undefined;
}

function otherMethod({ clientAuthMethod }: OidcSettings): OidcSettings['clientAuthMethod'] {
  return clientAuthMethod === 'client_secret_basic' ? 'client_secret_post' : 'client_secret_basic';
}

function cureFor(oidc: OidcSettings): string {
  const grant = 'or allow it the authorization code grant';
  return oidc.clientSecret === undefined
    ? `Set OIDC_CLIENT_SECRET, make the client public at the provider, correct OIDC_CLIENT_ID, ${grant}.`
    : `Correct OIDC_CLIENT_ID or OIDC_CLIENT_SECRET, ${grant}. ${otherMethod(oidc)} is not accepted either.`;
}
