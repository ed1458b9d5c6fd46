import * as client from 'openid-client';
import type { OidcSettings } from '../../config/settings.ts';
import { LoginFailure } from './login-failure.ts';
import { clientAuthentication } from './client-authentication.ts';
import { isSecureAddress, type AddressPolicy } from './provider-address.ts';
import { createProviderFetch, type Fetch } from './provider-fetch.ts';
import { translateFailure } from './translate-failure.ts';

/** The provider as discovery describes it, ready for logins. */
export type Provider = client.Configuration;

export interface DiscoveryOptions {
  readonly oidc: OidcSettings;
  readonly production: boolean;
  readonly fetch: Fetch;
  /** For one request to the provider, body included; {@link REQUEST_TIMEOUT_MS} by default. */
  readonly timeoutMs?: number | undefined;
}

export const REQUEST_TIMEOUT_MS = 5_000;
/** Discovery, key sets and tokens take kilobytes; a megabyte leaves room for thousands of groups. */
export const MAX_RESPONSE_BYTES = 1_048_576;

/**
 * Finds the provider once per process: the first success is kept until the process ends, a failure is
 * not, and logins that come while discovery runs wait for that one.
 * @returns a function that rejects with {@link LoginFailure}
 */
export function createDiscovery(options: DiscoveryOptions): () => Promise<Provider> {
  let found: Promise<Provider> | undefined;
  return () => {
    found ??= discover(options).catch((error: unknown) => {
      found = undefined;
      throw translateFailure(error);
    });
    return found;
  };
}

/** One discovery, by every rule of the contract ("Login flow", step 1). */
export async function discover(options: DiscoveryOptions): Promise<Provider> {
  const { oidc, production, fetch, timeoutMs = REQUEST_TIMEOUT_MS } = options;
  const policy = { allowHttp: oidc.allowHttp, production };
  if (!isSecureAddress(oidc.issuer, policy)) throw new LoginFailure('insecure_issuer');
  // The library would fetch such an address as it is and compare nothing.
  if (oidc.issuer.includes('/.well-known/')) throw new LoginFailure('issuer_is_discovery_url');
  const request = createProviderFetch({ fetch, policy, timeoutMs, maxBytes: MAX_RESPONSE_BYTES });
  const provider = await client.discovery(
    new URL(oidc.issuer),
    oidc.clientId,
    undefined,
    clientAuthentication(oidc),
    {
      // Without these checks the library trusts TLS and leaves the ID token's signature alone.
      execute: [client.enableNonRepudiationChecks, ...plainHttp(policy)],
      timeout: (2 * timeoutMs) / 1_000, // a net only: the request's own deadline comes first
      [client.customFetch]: request as client.CustomFetch,
    },
  );
  checkMetadata(provider.serverMetadata(), oidc, policy);
  return provider;
}

/** The library knows all hosts or none; which host it may be is for {@link isSecureAddress} to say. */
function plainHttp({ allowHttp, production }: AddressPolicy): readonly ((provider: Provider) => void)[] {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so only to stand out
  return allowHttp && !production ? [client.allowInsecureRequests] : [];
}

const REQUIRED_ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

/** Judges the discovery document: the issuer to the letter, and every address that it names. */
function checkMetadata(metadata: client.ServerMetadata, oidc: OidcSettings, policy: AddressPolicy): void {
  // The library compares parsed URLs, which forgives a missing slash and makes exceptions for Entra ID.
  if (metadata.issuer !== oidc.issuer) throw new LoginFailure('issuer_mismatch');
  if (!REQUIRED_ENDPOINTS.every((name) => typeof metadata[name] === 'string')) {
    throw new LoginFailure('missing_endpoint');
  }
  // Null stands for an endpoint that a provider does not have.
  const addresses = Object.entries(metadata).filter(
    ([name, address]) => /_endpoint$|^jwks_uri$/.test(name) && address !== null,
  );
  for (const [, address] of addresses) {
    if (typeof address !== 'string' || !isSecureAddress(address, policy)) {
      throw new LoginFailure('insecure_endpoint');
    }
  }
}
