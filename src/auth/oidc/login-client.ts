import { setTimeout as sleep } from 'node:timers/promises';
import * as client from 'openid-client';
import type { OidcSettings } from '../../config/settings.ts';
import type { Claims } from './claims.ts';
import { LoginFailure, type LoginFailureCode } from './login-failure.ts';
import type { AddressPolicy } from './provider-address.ts';
import type { ProviderRequest } from './provider-fetch.ts';
import type { Transaction } from './transaction.ts';
import { translateFailure } from './translate-failure.ts';
import { checkIdToken } from './id-token.ts';
import { callbackRequests } from './login-requests.ts';
import type { ProviderCache } from './provider-cache.ts';
import { configurationFor, keepKeys } from './provider.ts';

export interface LoginClientOptions {
  readonly oidc: OidcSettings;
  readonly policy: AddressPolicy;
  readonly request: ProviderRequest;
  readonly providers: ProviderCache;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** What the provider returns for a code. */
export interface Tokens {
  /** The claims of the validated ID token. */
  readonly idToken: client.IDToken;
  readonly accessToken: string;
}

/** The provider's side of one callback. Every failure has its stage and status. */
export interface LoginClient {
  /** Redeems the code. @throws {LoginFailure} */
  redeem(callback: URL, transaction: Transaction): Promise<Tokens>;
  /** UserInfo's claims; undefined when there is no such endpoint. @throws {LoginFailure} */
  readUserInfo(tokens: Tokens): Promise<Claims | undefined>;
}

/** For all requests of one callback. Each request has a shorter limit of its own. */
const CALLBACK_BUDGET_MS = 20_000;
const USER_INFO_RETRY_AFTER_MS = 250;

/** Failures of a token that may be signed with newer keys or another algorithm than those in memory. */
const SIGNED_OTHERWISE: readonly LoginFailureCode[] = ['algorithm_refused', 'signature_invalid'];

export async function createLoginClient(options: LoginClientOptions): Promise<LoginClient> {
  const { oidc, policy, request, providers, now } = options;
  let provider = await providers.current();
  const requests = callbackRequests(request, provider.metadata, AbortSignal.timeout(CALLBACK_BUDGET_MS));

  const withProvider = async <Result>(question: (configuration: client.Configuration) => Promise<Result>) => {
    const used = provider;
    const configuration = configurationFor(used, { oidc, policy, fetch: requests.fetch });
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
    redeem: async (callback, transaction) => {
      const redeem = () =>
        withProvider(async (configuration): Promise<Tokens> => {
          const tokens = await grant(configuration, callback, transaction);
          const idToken = checkIdToken(tokens.claims(), oidc.clientId, now());
          return { idToken, accessToken: tokens.access_token };
        });
      try {
        return await redeem();
      } catch (error) {
        if (await renew(error)) return redeem();
        throw error;
      }
    },
    readUserInfo: async (tokens) => {
      if (provider.metadata.userinfo_endpoint === undefined) return undefined;
      const read = () => withProvider((configuration) => userInfo(configuration, tokens));
      try {
        return await read();
      } catch (error) {
        if (error instanceof LoginFailure && error.code === 'subject_mismatch') throw error;
        await renew(error);
        await sleep(USER_INFO_RETRY_AFTER_MS);
        return read();
      }
    },
  };
}

function grant(configuration: client.Configuration, callback: URL, { state, nonce, verifier }: Transaction) {
  return client.authorizationCodeGrant(configuration, callback, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
}

async function userInfo(
  configuration: client.Configuration,
  { idToken, accessToken }: Tokens,
): Promise<Claims> {
  try {
    return await client.fetchUserInfo(configuration, accessToken, idToken.sub);
  } catch (error) {
    throw describesSomeoneElse(error) ? new LoginFailure('subject_mismatch') : error;
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

function isObject(value: unknown): value is Claims {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
