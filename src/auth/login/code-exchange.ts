import { setTimeout as sleep } from 'node:timers/promises';
import * as client from 'openid-client';
import { isObject } from '../../contract/token-claims.ts';
import type { ClaimDocuments } from './claims.ts';
import { LoginFailure, type LoginFailureCode, type UserInfoState } from './login-failure.ts';
import { configurationFor, type Provider } from './provider.ts';
import { locatedRequests, type ProviderRequest } from './provider-requests.ts';
import type { Transaction } from './transaction.ts';

/** What the provider says about a person. UserInfo is optional by contract: without it, the ID token is used alone. */
export interface Redeemed {
  readonly documents: ClaimDocuments;
  readonly userInfo: UserInfoState;
  /** Why UserInfo failed. */
  readonly failure?: LoginFailure;
}

/** For all requests of one callback. Each request has a shorter limit of its own. */
const CALLBACK_BUDGET_MS = 20_000;
const USER_INFO_RETRY_AFTER_MS = 250;

/**
 * Redeems the code of a callback's query, and reads UserInfo.
 * @throws {LoginFailure} with its stage and status
 */
export async function redeemCode(
  provider: Provider,
  parameters: URLSearchParams,
  { state, nonce, verifier }: Transaction,
): Promise<Redeemed> {
  const { oidc, now } = provider;
  const metadata = await provider.metadata();
  const { fetch, locate } = callbackRequests(provider, metadata);
  const configuration = configurationFor(metadata, oidc, fetch);
  // The configured redirect URI with the callback's parameters, whatever host the request was sent to.
  const callback = new URL(oidc.redirectUri);
  callback.search = parameters.toString();
  try {
    const tokens = await client.authorizationCodeGrant(configuration, callback, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const idToken = checkIdToken(tokens.claims(), oidc.clientId, now());
    if (metadata.userinfo_endpoint === undefined) return { documents: { idToken }, userInfo: 'none' };
    const { claims, error } = await readUserInfo(configuration, tokens.access_token, idToken.sub);
    if (claims === undefined) return { documents: { idToken }, userInfo: 'failed', failure: locate(error) };
    return { documents: { idToken, userInfo: claims }, userInfo: 'used' };
  } catch (error) {
    throw locate(error);
  }
}

function callbackRequests({ request }: Provider, { userinfo_endpoint }: client.ServerMetadata) {
  const userInfo = userinfo_endpoint === undefined ? undefined : new URL(userinfo_endpoint).href;
  const deadline = AbortSignal.timeout(CALLBACK_BUDGET_MS);
  const inTime: ProviderRequest = (url, init) => {
    const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline;
    return request(url, { ...init, signal });
  };
  return locatedRequests(inTime, 'callback', (url, method) =>
    method === 'POST' ? 'token' : url === userInfo ? 'userinfo' : 'keys',
  );
}

/** How far the provider's clock may be ahead of ours. */
const MAX_ISSUED_AHEAD_SECONDS = 300;

/** Makes the checks of OpenID Connect Core 1.0, section 3.1.3.7 that the library leaves to its caller. */
function checkIdToken(claims: client.IDToken | undefined, clientId: string, nowMs: number): client.IDToken {
  if (claims === undefined) throw refused('invalid_id_token');
  if (claims.sub.trim() === '') throw refused('subject_missing');
  // Additional audiences must be refused unless trusted. This service trusts none.
  if ([claims.aud].flat().length !== 1) throw refused('audience_mismatch');
  if (claims.azp !== undefined && claims.azp !== clientId) throw refused('audience_mismatch');
  if (!(claims.iat * 1_000 <= nowMs + MAX_ISSUED_AHEAD_SECONDS * 1_000)) throw refused('token_time_invalid');
  return claims;
}

/** The stage is always `token`, because the ID token arrived with the token response. */
function refused(code: LoginFailureCode): LoginFailure {
  return new LoginFailure(code, { stage: 'token' });
}

/** A second attempt follows a failed one. @throws {LoginFailure} if it describes someone else */
async function readUserInfo(
  configuration: client.Configuration,
  accessToken: string,
  subject: string,
): Promise<{ readonly claims?: client.UserInfoResponse; readonly error?: unknown }> {
  for (let isLast = false; ; isLast = true) {
    try {
      return { claims: await client.fetchUserInfo(configuration, accessToken, subject) };
    } catch (error) {
      if (describesSomeoneElse(error)) throw new LoginFailure('subject_mismatch');
      if (isLast) return { error };
      await sleep(USER_INFO_RETRY_AFTER_MS);
    }
  }
}

/**
 * Whether the UserInfo response is about another subject ("the UserInfo Response values MUST NOT be used", OpenID
 * Connect Core 1.0, section 5.3.2). A response without a subject counts.
 */
function describesSomeoneElse(error: unknown): boolean {
  if (!(error instanceof client.ClientError)) return false;
  if (error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') return true;
  const { cause } = (error.cause ?? {}) as { cause?: { body?: unknown } };
  const body = cause?.body;
  return error.code === 'OAUTH_INVALID_RESPONSE' && isObject(body) && typeof body['sub'] !== 'string';
}
