import * as client from 'openid-client';
import type { ClaimDocuments, Claims } from './claims.ts';
import type { Provider } from './discovery.ts';
import { LoginFailure } from './login-failure.ts';
import type { Transaction } from './transaction.ts';
import { translateFailure } from './translate-failure.ts';

/** How far ahead of ours the provider's clock may be. */
const MAX_ISSUED_AHEAD_SECONDS = 300;

export interface CodeExchange {
  readonly provider: Provider;
  /** The configured redirect URI with the callback's parameters: what the provider redirected to. */
  readonly callback: URL;
  readonly transaction: Transaction;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Redeems the code and returns what the provider says of the user: the validated ID token, and UserInfo where there
 * is one. They are kept apart, because each vouches for its own email only.
 * @throws {LoginFailure}
 */
export async function exchangeCode(exchange: CodeExchange): Promise<ClaimDocuments> {
  const { provider, callback, transaction, now } = exchange;
  const tokens = await redeem(provider, callback, transaction);
  const claims = tokens.claims();
  if (claims === undefined) throw new LoginFailure('invalid_id_token');
  checkIdToken(claims, provider.clientMetadata().client_id, now());
  return { idToken: claims, userInfo: await readUserInfo(provider, tokens.access_token, claims.sub) };
}

async function redeem(provider: Provider, callback: URL, { state, nonce, verifier }: Transaction) {
  try {
    return await client.authorizationCodeGrant(provider, callback, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
  } catch (error) {
    throw translateFailure(error);
  }
}

/** What OpenID Connect Core 1.0, section 3.1.3.7 asks for and the library leaves to its caller. */
function checkIdToken(claims: client.IDToken, clientId: string, nowMs: number): void {
  if (claims.sub.trim() === '') throw new LoginFailure('subject_missing');
  // Additional audiences are to be refused unless trusted, and there are none that this service trusts.
  if ([claims.aud].flat().length !== 1) throw new LoginFailure('audience_mismatch');
  if (claims.azp !== undefined && claims.azp !== clientId) throw new LoginFailure('audience_mismatch');
  if (!(claims.iat * 1_000 <= nowMs + MAX_ISSUED_AHEAD_SECONDS * 1_000)) {
    throw new LoginFailure('token_time_invalid');
  }
}

/** UserInfo's claims; undefined when there is no such endpoint, or it does not work. */
async function readUserInfo(
  provider: Provider,
  accessToken: string,
  subject: string,
): Promise<Claims | undefined> {
  if (provider.serverMetadata().userinfo_endpoint === undefined) return undefined;
  try {
    return await client.fetchUserInfo(provider, accessToken, subject);
  } catch (error) {
    if (describesSomebodyElse(error)) throw new LoginFailure('subject_mismatch');
    return undefined; // optional by contract: the ID token's claims stand alone
  }
}

/**
 * Whether UserInfo did answer, but not for this subject ("the UserInfo Response values MUST NOT be
 * used", OpenID Connect Core 1.0, section 5.3.2). An answer without a subject counts.
 */
function describesSomebodyElse(error: unknown): boolean {
  if (!(error instanceof client.ClientError)) return false;
  if (error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') return true;
  const { cause } = (error.cause ?? {}) as { cause?: { body?: unknown } };
  const body = cause?.body;
  return error.code === 'OAUTH_INVALID_RESPONSE' && isObject(body) && typeof body['sub'] !== 'string';
}

function isObject(value: unknown): value is Claims {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
