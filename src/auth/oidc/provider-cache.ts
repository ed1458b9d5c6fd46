import type * as client from 'openid-client';
import type { Logger } from '../../observability/logger.ts';
import { logRefreshFailure } from './login-log.ts';
import { translateFailure } from './translate-failure.ts';
import { createProvider, type Provider } from './provider.ts';

export interface ProviderCacheOptions {
  /** Reads the discovery document. */
  readonly discover: () => Promise<client.ServerMetadata>;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** From 0 up to 1; spreads the replicas out. */
  readonly random?: (() => number) | undefined;
}

/** The provider of this process. */
export interface ProviderCache {
  /**
   * The provider, as a login needs it. Refreshes it first when that is due; a refresh that fails changes nothing.
   * @throws {LoginFailure} only for as long as no discovery has succeeded
   */
  current(): Promise<Provider>;
  /**
   * The provider to try again with, after the keys or algorithms of `refused` did not fit a token. Undefined when
   * such a refresh was made only just now.
   */
  renewed(refused: Provider): Promise<Provider | undefined>;
}

/** The discovery document is read again by the first login after this time, or a tenth of it sooner. */
export const REFRESH_INTERVAL_MS = 3_600_000;
/** After a refresh that failed; doubled with each further one. */
export const FIRST_RETRY_MS = 60_000;
/** Between two refreshes for a token that did not fit: no number of bad tokens makes more requests than that. */
export const RENEWAL_INTERVAL_MS = 10_000;

/**
 * Finds the provider at the first login and keeps it. Issuer and endpoints stay those of the first document until the
 * process ends, as the contract has it; only {@link CHANGEABLE} members follow the provider. There is no timer: without
 * logins nothing is fetched, and nothing keeps the process alive.
 */
export function createProviderCache(options: ProviderCacheOptions): ProviderCache {
  const { discover, logger, now, random = Math.random } = options;
  let provider: Provider | undefined;
  let first: Promise<Provider> | undefined;
  let refresh: Promise<void> | undefined;
  let failures = 0;
  let due = { from: 0, at: 0 };
  let renewedAt: number | undefined;

  const scheduleAfter = (delayMs: number): void => {
    due = { from: now(), at: now() + delayMs * (1 - random() / 10) };
  };
  /** A clock that was set back would put the refresh off for as long as that. */
  const isDue = (): boolean => now() >= due.at || now() < due.from;

  const find = async (): Promise<Provider> => {
    provider = createProvider(await discover());
    scheduleAfter(REFRESH_INTERVAL_MS);
    return provider;
  };
  const refreshOnce = async (known: Provider): Promise<void> => {
    try {
      const latest = await discover();
      if (hasOtherEndpoints(known.metadata, latest))
        logger.warn('provider changed its endpoints', { hint: RESTART });
      provider = createProvider(withChanges(known.metadata, latest));
      failures = 0;
      scheduleAfter(REFRESH_INTERVAL_MS);
    } catch (error) {
      logRefreshFailure(logger, translateFailure(error));
      scheduleAfter(Math.min(FIRST_RETRY_MS * 2 ** failures++, REFRESH_INTERVAL_MS));
    }
  };
  const refreshed = (known: Provider): Promise<void> =>
    (refresh ??= refreshOnce(known).finally(() => (refresh = undefined)));

  return {
    current: async () => {
      if (provider === undefined) return (first ??= find().finally(() => (first = undefined)));
      // Only the login that begins the refresh waits for it.
      if (isDue() && refresh === undefined) await refreshed(provider);
      return provider;
    },
    renewed: async (refused) => {
      if (provider !== refused) return provider;
      if (refresh === undefined) {
        if (renewedAt !== undefined && Math.abs(now() - renewedAt) < RENEWAL_INTERVAL_MS) return undefined;
        renewedAt = now();
      }
      await refreshed(refused);
      // Where the document cannot be read, the keys still can.
      if (provider === refused) provider = { ...refused, keys: {} };
      return provider;
    },
  };
}

/** What a later document may change: how tokens are signed, and where the keys are. */
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

function hasOtherEndpoints(known: client.ServerMetadata, latest: client.ServerMetadata): boolean {
  const endpoints = (metadata: client.ServerMetadata): string =>
    Object.entries(metadata)
      .filter(([name]) => name.endsWith('_endpoint'))
      .map(([name, address]) => `${name}=${JSON.stringify(address)}`)
      .toSorted()
      .join('\n');
  return endpoints(known) !== endpoints(latest);
}
