import * as client from 'openid-client';
import type { OidcSettings } from '../../config/settings.ts';
import { LoginFailure } from './login-failure.ts';
import { discoveryRequests } from './login-requests.ts';
import { requiredChecks } from './provider.ts';
import { isSecureAddress, type AddressPolicy } from './provider-address.ts';
import type { ProviderRequest } from './provider-fetch.ts';
import { translateFailure } from './translate-failure.ts';

export interface DiscoveryOptions {
  readonly oidc: OidcSettings;
  readonly policy: AddressPolicy;
  readonly request: ProviderRequest;
  /** The library's own limit for a request. The request's own limit is shorter. */
  readonly netMs: number;
}

/**
 * Reads the discovery document and checks every rule of the contract ("Login flow", step 1).
 * @throws {LoginFailure}
 */
export async function discover(options: DiscoveryOptions): Promise<client.ServerMetadata> {
  const requests = discoveryRequests(options.request);
  try {
    return await readDocument(options, requests.fetch);
  } catch (error) {
    throw requests.locate(translateFailure(error));
  }
}

async function readDocument(
  { oidc, policy, netMs }: DiscoveryOptions,
  fetch: client.CustomFetch,
): Promise<client.ServerMetadata> {
  if (!isSecureAddress(oidc.issuer, policy)) throw new LoginFailure('insecure_issuer');
  // The library would read such an address as it is, without comparing the issuer.
  if (oidc.issuer.includes('/.well-known/')) throw new LoginFailure('issuer_is_discovery_url');
  const configuration = await client.discovery(
    new URL(oidc.issuer),
    oidc.clientId,
    undefined,
    client.None(),
    {
      execute: [...requiredChecks(policy)],
      timeout: netMs / 1_000,
      [client.customFetch]: fetch,
    },
  );
  const metadata = configuration.serverMetadata();
  checkMetadata(metadata, oidc, policy);
  return metadata;
}

const REQUIRED_ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

/** Checks the discovery document: the exact issuer, and every address in it. */
function checkMetadata(metadata: client.ServerMetadata, oidc: OidcSettings, policy: AddressPolicy): void {
  // The library compares parsed URLs, which ignores a missing slash, and makes exceptions for Entra ID.
  if (metadata.issuer !== oidc.issuer) throw new LoginFailure('issuer_mismatch');
  if (!REQUIRED_ENDPOINTS.every((name) => typeof metadata[name] === 'string')) {
    throw new LoginFailure('missing_endpoint');
  }
  // Some providers send null for an endpoint that they do not have.
  const addresses = Object.entries(metadata).filter(
    ([name, address]) => /_endpoint$|^jwks_uri$/.test(name) && address !== null,
  );
  for (const [, address] of addresses) {
    if (typeof address !== 'string' || !isSecureAddress(address, policy)) {
      throw new LoginFailure('insecure_endpoint');
    }
  }
}
