import { setTimeout as sleep } from 'node:timers/promises';
import * as client from 'openid-client';
import { isObject } from '../../contract/json-text.ts';
import type { Claims } from './claims.ts';
import { LoginFailure, type LoginFailureCode } from './login-failure.ts';
import { configurationFor, keepKeys, type ProviderAccess } from './provider.ts';
import { callbackRequests } from './provider-requests.ts';
import type { Transaction } from './transaction.ts';
import { translateFailure } from './translate-failure.ts';

/** The requests of one callback. Every failure has its stage and status. */
type CodeExchange = Awaited<ReturnType<typeof createCodeExchange>>;

const USER_INFO_RETRY_AFTER_MS = 250;

/** Failures of a token that may be signed with newer keys or another algorithm than those in memory. */
const SIGNED_OTHERWISE: readonly LoginFailureCode[] = ['algorithm_refused', 'signature_invalid'];

export async function createCodeExchange({ oidc, request, providers, now }: ProviderAccess) {
  let provider = await providers.current();
  const requests = callbackRequests(request, provider.metadata);

  const withProvider = async <Result>(question: (configuration: client.Configuration) => Promise<Result>) => {
    const used = provider;
    const configuration = configurationFor(used, oidc, requests.fetch);
    try {
      return await question(configuration);
    } catch (error) {
      throw requests.locate(translateFailure(error));
    } finally {
      keepKeys(used, configuration);
    }
  };
  /** Refreshes the provider. Returns whether another attempt may succeed. */
  const renew = async (failure: unknown): Promise<boolean> => {
    if (!(failure instanceof LoginFailure) || !SIGNED_OTHERWISE.includes(failure.code)) return false;
    const renewed = await providers.renewed(provider);
    provider = renewed ?? provider;
    return renewed !== undefined;
  };

  const hasUserInfo = provider.metadata.userinfo_endpoint !== undefined;
  return { oidc, now, hasUserInfo, withProvider, renew };
}

/** The claims of the validated ID token, and the access token. */
type Tokens = Awaited<ReturnType<typeof redeemCode>>;

/** Redeems the code of the callback's query. @throws {LoginFailure} */
export async function redeemCode(exchange: CodeExchange, query: URLSearchParams, transaction: Transaction) {
  const { oidc, now, withProvider, renew } = exchange;
  // Whatever host the request was sent to.
  const callback = new URL(oidc.redirectUri);
  callback.search = query.toString();
  const checks = {
    expectedState: transaction.state,
    expectedNonce: transaction.nonce,
    pkceCodeVerifier: transaction.verifier,
    idTokenExpected: true,
  };
  const redeem = () =>
    withProvider(async (configuration) => {
      const tokens = await client.authorizationCodeGrant(configuration, callback, checks);
      const idToken = checkIdToken(tokens.claims(), oidc.clientId, now());
      return { idToken, accessToken: tokens.access_token };
    });
  return redeem().catch(async (error: unknown) => {
    if (await renew(error)) return redeem();
    throw error;
  });
}

export type UserInfo = Awaited<ReturnType<typeof readUserInfo>>;

/**
 * UserInfo, which is optional by contract: if it fails, only the claims of the ID token are used.
 * @throws {LoginFailure} if it describes someone else
 */
export async function readUserInfo(exchange: CodeExchange, { idToken, accessToken }: Tokens) {
  const { hasUserInfo, withProvider, renew } = exchange;
  if (!hasUserInfo) return { state: 'none' } as const;
  const read = () =>
    withProvider((configuration) =>
      client.fetchUserInfo(configuration, accessToken, idToken.sub).catch(refuseSomeoneElse),
    );
  const readAgain = async (error: unknown): Promise<Claims> => {
    if (isOfSomeoneElse(error)) throw error;
    await renew(error);
    await sleep(USER_INFO_RETRY_AFTER_MS);
    return read();
  };
  try {
    return { state: 'used', claims: await read().catch(readAgain) } as const;
  } catch (error) {
    if (isOfSomeoneElse(error)) throw error;
    return { state: 'failed', failure: translateFailure(error) } as const;
  }
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
const refused = (code: LoginFailureCode): LoginFailure => new LoginFailure(code, { stage: 'token' });

function isOfSomeoneElse(error: unknown): boolean {
  return error instanceof LoginFailure && error.code === 'subject_mismatch';
}

/**
 * Refuses a UserInfo response about another subject ("the UserInfo Response values MUST NOT be used", OpenID Connect
 * Core 1.0, section 5.3.2). A response without a subject counts.
 */
function refuseSomeoneElse(error: unknown): never {
  if (!(error instanceof client.ClientError)) throw error;
  const { cause } = (error.cause ?? {}) as { cause?: { body?: unknown } };
  const body = cause?.body;
  const hasNoSubject = isObject(body) && typeof body['sub'] !== 'string';
  const isOther = error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';
  if (!isOther && !(error.code === 'OAUTH_INVALID_RESPONSE' && hasNoSubject)) throw error;
  throw new LoginFailure('subject_mismatch');
}
