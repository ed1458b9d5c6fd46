import { setTimeout as sleep } from 'node:timers/promises';
import * as client from 'openid-client';
import { isObject } from '../../contract/token-claims.ts';
import type { Claims } from './claims.ts';
import { LoginFailure, type LoginFailureCode, type UserInfoState } from './login-failure.ts';
import { configurationFor, keepKeys } from './provider.ts';
import type { ProviderAccess } from './provider-cache.ts';
import { callbackRequests } from './provider-requests.ts';
import type { Transaction } from './transaction.ts';
import { translateFailure } from './translate-failure.ts';

/** What the provider returns for a code. */
export interface Tokens {
  /** The claims of the validated ID token. */
  readonly idToken: client.IDToken;
  readonly accessToken: string;
}

/** UserInfo, which is optional by contract: if it fails, only the claims of the ID token are used. */
interface UserInfo {
  readonly state: UserInfoState;
  readonly claims?: Claims | undefined;
  /** Why it failed. */
  readonly failure?: LoginFailure;
}

/** The requests of one callback. Every failure has its stage and status. */
export type CodeExchange = Awaited<ReturnType<typeof createCodeExchange>>;

/** For all requests of one callback. Each request has a shorter limit of its own. */
const CALLBACK_BUDGET_MS = 20_000;
const USER_INFO_RETRY_AFTER_MS = 250;

/** Failures of a token that may be signed with newer keys or another algorithm than those in memory. */
const SIGNED_OTHERWISE: readonly LoginFailureCode[] = ['algorithm_refused', 'signature_invalid'];

export async function createCodeExchange(access: ProviderAccess) {
  const { oidc, request, providers } = access;
  let provider = await providers.current();
  const requests = callbackRequests(request, provider.metadata, AbortSignal.timeout(CALLBACK_BUDGET_MS));

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

  return {
    oidc,
    /** Redeems the code of the callback's query. @throws {LoginFailure} */
    redeem: async (parameters: URLSearchParams, transaction: Transaction): Promise<Tokens> => {
      const callback = callbackAddress(oidc.redirectUri, parameters);
      const redeem = () =>
        withProvider((configuration) => grant(configuration, access, callback, transaction));
      try {
        return await redeem();
      } catch (error) {
        if (await renew(error)) return redeem();
        throw error;
      }
    },
    /** @throws {LoginFailure} if it describes someone else */
    readUserInfo: async (tokens: Tokens): Promise<UserInfo> => {
      if (provider.metadata.userinfo_endpoint === undefined) return { state: 'none' };
      const read = () => withProvider((configuration) => fetchUserInfo(configuration, tokens));
      const readAgain = async (error: unknown): Promise<Claims> => {
        if (isOfSomeoneElse(error)) throw error;
        await renew(error);
        await sleep(USER_INFO_RETRY_AFTER_MS);
        return read();
      };
      try {
        return { state: 'used', claims: await read().catch(readAgain) };
      } catch (error) {
        if (isOfSomeoneElse(error)) throw error;
        return { state: 'failed', failure: translateFailure(error) };
      }
    },
  };
}

/** The configured redirect URI with the callback's parameters, whatever host the request was sent to. */
function callbackAddress(redirectUri: string, parameters: URLSearchParams): URL {
  const address = new URL(redirectUri);
  address.search = parameters.toString();
  return address;
}

async function grant(
  configuration: client.Configuration,
  { oidc, now }: ProviderAccess,
  callback: URL,
  transaction: Transaction,
): Promise<Tokens> {
  const tokens = await client.authorizationCodeGrant(configuration, callback, {
    expectedState: transaction.state,
    expectedNonce: transaction.nonce,
    pkceCodeVerifier: transaction.verifier,
    idTokenExpected: true,
  });
  const idToken = checkIdToken(tokens.claims(), oidc.clientId, now());
  return { idToken, accessToken: tokens.access_token };
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

async function fetchUserInfo(
  configuration: client.Configuration,
  { idToken, accessToken }: Tokens,
): Promise<Claims> {
  try {
    return await client.fetchUserInfo(configuration, accessToken, idToken.sub);
  } catch (error) {
    throw describesSomeoneElse(error) ? new LoginFailure('subject_mismatch') : error;
  }
}

function isOfSomeoneElse(error: unknown): boolean {
  return error instanceof LoginFailure && error.code === 'subject_mismatch';
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
