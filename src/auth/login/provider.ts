import { isDeepStrictEqual } from 'node:util';
import * as client from 'openid-client';
import type { OidcSettings } from '../../config/settings.ts';
import type { Logger } from '../../observability/logger.ts';
import { LoginFailure, logFailure } from './login-failure.ts';
import {
  createProviderFetch,
  locatedRequests,
  REQUEST_TIMEOUT_MS,
  type Fetch,
  type ProviderRequest,
} from './provider-requests.ts';
import { documentProblems, issuerProblem, type ProviderProblem } from './provider-rules.ts';
import { translateFailure } from './translate-failure.ts';

interface ProviderOptions {
  readonly oidc: OidcSettings;
  readonly fetch: Fetch;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The first login after this time reads the discovery document again. */
export const REFRESH_AFTER_MS = 60_000;

export type Provider = ReturnType<typeof createProvider>;

/**
 * The provider of this process. The first login reads the discovery document, which is kept. The contract requires that
 * issuer and endpoints do not change until the process ends; only {@link CHANGEABLE} members are refreshed. There is no
 * timer: without logins nothing is fetched. A failed refresh changes nothing. The keys are not kept: each callback
 * reads them, so one that the provider adds or removes counts at once.
 */
export function createProvider({ oidc, fetch, logger, now }: ProviderOptions) {
  const request = createProviderFetch({ fetch, allowHttp: oidc.allowHttp });
  let known: client.ServerMetadata | undefined;
  let readMs = 0;
  let reading: Promise<client.ServerMetadata> | undefined;

  const read = async (): Promise<client.ServerMetadata> => {
    try {
      const latest = await discover(oidc, request);
      if (known !== undefined && !isDeepStrictEqual(endpointsOf(known), endpointsOf(latest))) {
        logger.warn('provider changed its endpoints', { hint: RESTART });
      }
      known = known === undefined ? latest : withChanges(known, latest);
    } catch (error) {
      if (known === undefined) throw error;
      logFailure(logger, 'discovery refresh failed', translateFailure(error));
    }
    readMs = now();
    return known;
  };
  /** @throws {LoginFailure} only for as long as no discovery has succeeded */
  const metadata = async (): Promise<client.ServerMetadata> => {
    // The clock may be set back.
    const isFresh = Math.abs(now() - readMs) < REFRESH_AFTER_MS;
    // Only the login that begins a refresh waits for it.
    if (known !== undefined && (isFresh || reading !== undefined)) return known;
    reading ??= read().finally(() => (reading = undefined));
    return reading;
  };
  return {
    oidc,
    request,
    now,
    metadata,
    /** For addresses of the browser. It sends no request but for the discovery document. */
    configuration: async () => configurationFor(await metadata(), oidc, request as client.CustomFetch),
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

/** The provider for one login, whose `fetch` sends all requests. */
export function configurationFor(
  metadata: client.ServerMetadata,
  oidc: OidcSettings,
  fetch: client.CustomFetch,
): client.Configuration {
  const authentication = clientAuthentication(oidc);
  const configuration = new client.Configuration(metadata, oidc.clientId, undefined, authentication);
  configuration[client.customFetch] = fetch;
  for (const enable of requiredChecks(oidc)) enable(configuration);
  return configuration;
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
async function discover(oidc: OidcSettings, request: ProviderRequest): Promise<client.ServerMetadata> {
  const requests = locatedRequests(request, 'discovery', () => 'discovery');
  try {
    refuse(issuerProblem(oidc));
    const options: client.DiscoveryRequestOptions = {
      execute: requiredChecks(oidc),
      timeout: (2 * REQUEST_TIMEOUT_MS) / 1_000,
      [client.customFetch]: requests.fetch,
    };
    const issuer = new URL(oidc.issuer);
    const found = await client.discovery(issuer, oidc.clientId, undefined, client.None(), options);
    const metadata: client.ServerMetadata = found.serverMetadata();
    refuse(documentProblems(metadata, oidc)[0]);
    // Without algorithms for UserInfo, which are optional, the library refuses every signed response. Those of ID tokens
    // are used instead; signatures are still checked.
    const algorithms = metadata.id_token_signing_alg_values_supported;
    return algorithms === undefined
      ? metadata
      : { userinfo_signing_alg_values_supported: algorithms, ...metadata };
  } catch (error) {
    throw requests.locate(error);
  }
}

function refuse(problem: ProviderProblem | undefined): void {
  if (problem !== undefined) throw new LoginFailure(problem.code);
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
