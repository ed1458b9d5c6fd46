import { isDeepStrictEqual } from 'node:util';
import type * as client from 'openid-client';
import type { Logger } from '../../observability/logger.ts';
import { logFailure } from './login-failure.ts';
import { translateFailure } from './translate-failure.ts';
import { configurationFor, createProvider, discover, type Provider } from './provider.ts';
import { createProviderFetch, type Fetch } from './provider-requests.ts';
import type { OidcSettings } from '../../config/settings.ts';

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
