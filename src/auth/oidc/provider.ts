import * as client from 'openid-client';
import type { OidcSettings } from '../../config/settings.ts';
import type { AddressPolicy } from './provider-address.ts';
import { clientAuthentication } from './client-authentication.ts';

/** The provider as its discovery document describes it. A changed document makes a new provider. */
export interface Provider {
  readonly metadata: client.ServerMetadata;
  /** The provider's keys, once a login has fetched them. Later logins share them. */
  readonly keys: { cached?: client.ExportedJWKSCache };
}

/**
 * Discovery need not name the algorithms of UserInfo, and the library then refuses every signed response. The
 * algorithms of ID tokens are used instead; signatures are still checked.
 */
export function createProvider(metadata: client.ServerMetadata): Provider {
  const algorithms =
    metadata.userinfo_signing_alg_values_supported ?? metadata.id_token_signing_alg_values_supported;
  if (algorithms === undefined) return { metadata, keys: {} };
  return { metadata: { ...metadata, userinfo_signing_alg_values_supported: algorithms }, keys: {} };
}

export interface ConfigurationOptions {
  readonly oidc: OidcSettings;
  readonly policy: AddressPolicy;
  readonly fetch: client.CustomFetch;
}

/** The provider for one login, whose `fetch` sends all requests. */
export function configurationFor(
  { metadata, keys }: Provider,
  { oidc, policy, fetch }: ConfigurationOptions,
): client.Configuration {
  const configuration = new client.Configuration(
    metadata,
    oidc.clientId,
    undefined,
    clientAuthentication(oidc),
  );
  configuration[client.customFetch] = fetch;
  for (const enable of requiredChecks(policy)) enable(configuration);
  if (keys.cached !== undefined) client.setJwksCache(configuration, keys.cached);
  return configuration;
}

/** Keeps the keys that a login has fetched, unless another login has fetched newer ones. */
export function keepKeys({ keys }: Provider, configuration: client.Configuration): void {
  const fetched = client.getJwksCache(configuration);
  if (fetched !== undefined && fetched.uat >= (keys.cached?.uat ?? 0)) keys.cached = fetched;
}

/** Without these the library relies on TLS and does not check the signature of the ID token. */
export function requiredChecks({
  allowHttp,
  production,
}: AddressPolicy): readonly ((configuration: client.Configuration) => void)[] {
  // The library allows plain http for all hosts or none. `isSecureAddress` limits the hosts.
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so only to stand out
  const plainHttp = allowHttp && !production ? [client.allowInsecureRequests] : [];
  return [client.enableNonRepudiationChecks, ...plainHttp];
}
