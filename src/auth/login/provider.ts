import { isDeepStrictEqual } from 'node:util';
import * as client from 'openid-client';
import type { OidcSettings } from '../../config/settings.ts';
import type { Logger } from '../../observability/logger.ts';
import { logFailure, LoginFailure, type LoginFailureCode } from './login-failure.ts';
import {
  createProviderFetch,
  recordedRequests,
  REQUEST_TIMEOUT_MS,
  type Fetch,
  type ProviderRequest,
} from './provider-requests.ts';
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
  // oxlint-disable-next-line typescript/no-deprecated -- marked so only to stand out
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
    // Some providers send null for what they do not have.
    const present = Object.entries(metadata).filter(([, value]) => value !== null);
    return { ...Object.fromEntries(present), issuer: metadata.issuer };
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

/** The first login after this time, or up to a tenth earlier, reads the discovery document again. */
export const REFRESH_INTERVAL_MS = 3_600_000;
/** After a failed refresh. Doubled with each further failure. */
export const FIRST_RETRY_MS = 60_000;
/** Between two refreshes for tokens that did not match, so that bad tokens cannot cause more requests. */
export const RENEWAL_INTERVAL_MS = 10_000;

/**
 * Reads the provider at the first login and keeps it. The contract requires that issuer and endpoints do not change
 * until the process ends; only {@link CHANGEABLE} members are refreshed. There is no timer: without logins nothing is
 * fetched. A failed refresh changes nothing.
 * @param now milliseconds since the epoch
 * @param random from 0 up to 1; spreads the refreshes of replicas
 */
export function createProviderCache(
  readDocument: () => Promise<client.ServerMetadata>,
  logger: Logger,
  now: () => number,
  random = Math.random,
) {
  let provider: Provider | undefined;
  let reading: Promise<Provider> | undefined;
  let failures = 0;
  let due = { from: 0, at: 0 };
  let renewedAt: number | undefined;

  const scheduleAfter = (delayMs: number): void => {
    due = { from: now(), at: now() + delayMs * (1 - random() / 10) };
  };
  /** Without the second condition, a clock that was set back would delay the refresh by as much. */
  const isDue = (): boolean => now() >= due.at || now() < due.from;

  const readOnce = async (known: Provider | undefined): Promise<Provider> => {
    try {
      const latest = await readDocument();
      if (known !== undefined && !isDeepStrictEqual(endpointsOf(known.metadata), endpointsOf(latest)))
        logger.warn('provider changed its endpoints', { hint: RESTART });
      provider = createProvider(known === undefined ? latest : withChanges(known.metadata, latest));
      failures = 0;
      scheduleAfter(REFRESH_INTERVAL_MS);
      return provider;
    } catch (error) {
      if (known === undefined) throw error;
      logFailure(logger, 'discovery refresh failed', translateFailure(error));
      scheduleAfter(Math.min(FIRST_RETRY_MS * 2 ** failures++, REFRESH_INTERVAL_MS));
      return known;
    }
  };
  const read = (): Promise<Provider> => (reading ??= readOnce(provider).finally(() => (reading = undefined)));

  return {
    /** The provider for a login. @throws {LoginFailure} only for as long as no discovery has succeeded */
    current: async (): Promise<Provider> => {
      // Only the login that begins a refresh waits for it.
      return provider === undefined || (isDue() && reading === undefined) ? read() : provider;
    },
    /** Refreshed, after the keys or algorithms of `refused` did not match a token; undefined if that was just now. */
    renewed: async (refused: Provider): Promise<Provider | undefined> => {
      if (provider !== refused) return provider;
      if (reading === undefined) {
        if (renewedAt !== undefined && Math.abs(now() - renewedAt) < RENEWAL_INTERVAL_MS) return undefined;
        renewedAt = now();
      }
      await read();
      // If the document cannot be read, the keys still can.
      if (provider === refused) provider = { ...refused, keys: {} };
      return provider;
    },
  };
}

/** What a refresh may change: how tokens are signed, and where the keys are. */
const CHANGEABLE: readonly string[] = [
  'jwks_uri',
  'id_token_signing_alg_values_supported',
  'userinfo_signing_alg_values_supported',
];
const RESTART = 'The endpoints of the first discovery stay in use. Restart the service to use the new ones.';

function withChanges(known: client.ServerMetadata, latest: client.ServerMetadata): client.ServerMetadata {
  const kept = Object.entries(known).filter(([name]) => !CHANGEABLE.includes(name));
  const changed = Object.entries(latest).filter(([name]) => CHANGEABLE.includes(name));
  return { ...Object.fromEntries([...kept, ...changed]), issuer: known.issuer };
}

function endpointsOf(metadata: client.ServerMetadata): object {
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => name.endsWith('_endpoint')));
}

/** How this process reaches the provider. */
export type ProviderAccess = ReturnType<typeof createProviderAccess>;

/** @param now milliseconds since the epoch */
export function createProviderAccess(oidc: OidcSettings, fetch: Fetch, logger: Logger, now: () => number) {
  const request = createProviderFetch(fetch, oidc.allowHttp);
  const providers = createProviderCache(() => discover(oidc, request), logger, now);
  return { oidc, request, providers, now };
}

/** The provider's configuration for addresses of the browser. It sends no request, once the provider is read. */
export async function currentConfiguration({ providers, oidc, request }: ProviderAccess) {
  return configurationFor(await providers.current(), oidc, request as client.CustomFetch);
}
