import * as client from 'openid-client';
import type { OidcSettings } from '../../config/settings.ts';
import { recordedRequests, REQUEST_TIMEOUT_MS, type ProviderRequest } from './provider-requests.ts';
import { LoginFailure, type LoginFailureCode } from './login-failure.ts';
import { documentProblems, issuerProblem } from './provider-rules.ts';
import { translateFailure } from './translate-failure.ts';

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

/** The provider for one login, whose `fetch` sends all requests. */
export function configurationFor(
  { metadata, keys }: Provider,
  oidc: OidcSettings,
  fetch: client.CustomFetch,
): client.Configuration {
  const authentication = clientAuthentication(oidc);
  const configuration = new client.Configuration(metadata, oidc.clientId, undefined, authentication);
  configuration[client.customFetch] = fetch;
  for (const enable of requiredChecks(oidc)) enable(configuration);
  if (keys.cached !== undefined) client.setJwksCache(configuration, keys.cached);
  return configuration;
}

/** Keeps the keys that a login has fetched, unless another login has fetched newer ones. */
export function keepKeys({ keys }: Provider, configuration: client.Configuration): void {
  const fetched = client.getJwksCache(configuration);
  if (fetched !== undefined && fetched.uat >= (keys.cached?.uat ?? 0)) keys.cached = fetched;
}

/** Without these the library relies on TLS and does not check the signature of the ID token. */
function requiredChecks({ allowHttp }: OidcSettings): ((configuration: client.Configuration) => void)[] {
  // The library allows plain http for all hosts or none. `isSecureAddress` limits the hosts.
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so only to stand out
  const plainHttp = allowHttp ? [client.allowInsecureRequests] : [];
  return [client.enableNonRepudiationChecks, ...plainHttp];
}

/**
 * Reads the discovery document by the rules of the contract ("Login flow", step 1). The library's own limit for
 * a request is longer than that of `request`.
 * @throws {LoginFailure}
 */
export async function discover(oidc: OidcSettings, request: ProviderRequest): Promise<client.ServerMetadata> {
  const requests = recordedRequests(request, () => 'discovery', 'discovery');
  try {
    refuse(issuerProblem(oidc));
    const options: client.DiscoveryRequestOptions = {
      execute: requiredChecks(oidc),
      timeout: (2 * REQUEST_TIMEOUT_MS) / 1_000,
      [client.customFetch]: requests.fetch,
    };
    const issuer = new URL(oidc.issuer);
    const found = await client.discovery(issuer, oidc.clientId, undefined, client.None(), options);
    const metadata = found.serverMetadata();
    refuse(documentProblems(metadata, oidc)[0]?.code);
    return metadata;
  } catch (error) {
    throw requests.locate(translateFailure(error));
  }
}

function refuse(code: LoginFailureCode | undefined): void {
  if (code !== undefined) throw new LoginFailure(code);
}

/** The settings that client authentication needs. */
export type ClientCredentials = Pick<OidcSettings, 'clientId' | 'clientSecret' | 'clientAuthMethod'>;

/** How the service authenticates at the token endpoint. Without a secret it is a public client. */
export function clientAuthentication(credentials: ClientCredentials): client.ClientAuth {
  const { clientSecret, clientAuthMethod } = credentials;
  if (clientSecret === undefined) return client.None();
  if (clientAuthMethod === 'client_secret_post') return client.ClientSecretPost(clientSecret);
  return (_server, { client_id }, _body, headers) => {
    headers.set('authorization', basicAuthorization(client_id, clientSecret));
  };
}

/**
 * The Authorization header of `client_secret_basic`. RFC 6749, section 2.3.1 requires both to be form-encoded, but many
 * providers do not decode them: Glewlwyd and LemonLDAP::NG refuse every secret with a `-` in it when it is sent as
 * `%2D`, as openid-client's own method does.
 */
export function basicAuthorization(clientId: string, clientSecret: string): string {
  return `Basic ${Buffer.from(`${encoded(clientId)}:${encoded(clientSecret)}`).toString('base64')}`;
}

/**
 * Encodes only what a decoder would change and what the header cannot hold. The rest is the same whether or not the
 * provider decodes it.
 */
function encoded(text: string): string {
  return text.toWellFormed().replaceAll(/[^!-~]|[%+:]/gu, encodeURIComponent);
}
