import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { TrustedIssuer } from '../../config/trusted-issuers.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../observability/logger.ts';
import { discoveryAddress, readPublished, type ProviderRequest } from '../login/provider-requests.ts';
import { translateFailure } from '../login/translate-failure.ts';

interface IssuerKeysOptions {
  readonly issuer: Pick<TrustedIssuer, 'name' | 'issuer' | 'jwksUri'>;
  readonly request: ProviderRequest;
  /** Monotonic, in milliseconds. */
  readonly elapsed: () => number;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Older keys are fetched again. */
export const REFRESH_AFTER_MS = 600_000;
/** Between two fetches, whatever tokens name and whatever the issuer answers. */
export const FETCH_INTERVAL_MS = 30_000;
/** The last good keys hold for so long while the issuer cannot be reached. */
export const MAX_AGE_MS = 3_600_000;

/** The keys of one trusted issuer: fetched when they are needed, shared by all its tokens. */
export function createIssuerKeys({ issuer, request, elapsed, logger }: IssuerKeysOptions) {
  let keys: Awaited<ReturnType<typeof readKeys>> | undefined;
  let fetchedMs = -Infinity;
  let begunMs = -Infinity;
  let hasFailed = false;
  let running: Promise<void> | undefined;

  const fetchOnce = async (): Promise<void> => {
    try {
      keys = await readKeys(issuer, request);
      fetchedMs = elapsed();
      hasFailed = false;
    } catch (error) {
      hasFailed = true;
      const { code, details } = translateFailure(error);
      const fields = { issuer: issuer.name, code, systemCode: details.systemCode };
      logger.warn('keys of an issuer could not be fetched', fields);
    }
  };
  const refresh = (): Promise<void> => {
    if (running === undefined && elapsed() - begunMs >= FETCH_INTERVAL_MS) {
      begunMs = elapsed();
      running = fetchOnce().finally(() => (running = undefined));
    }
    return running ?? Promise.resolve();
  };
  const ageMs = (): number => elapsed() - fetchedMs;
  const usable = () => (keys !== undefined && !keys.isEmpty && ageMs() < MAX_AGE_MS ? keys : undefined);

  /**
   * The key of a token. Newer ones are fetched if there is none.
   * @throws {ServiceError} `unavailable` while there are no usable keys, or no newer ones can be fetched
   */
  const find: JWTVerifyGetKey = async (header, token) => {
    const refreshed = ageMs() >= REFRESH_AFTER_MS || keys?.isEmpty === true ? refresh() : undefined;
    // No request waits for newer keys as long as the last ones hold.
    if (usable() === undefined) await refreshed;
    const known = usable() ?? unavailable();
    try {
      return await known.find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      if (keys === known) await refresh();
      if (keys !== known) return (usable() ?? unavailable()).find(header, token);
      return hasFailed ? unavailable() : Promise.reject(error);
    }
  };
  /** How long ago the keys were fetched; undefined without keys. */
  return { find, ageMs: () => (keys === undefined ? undefined : ageMs()) };
}

function unavailable(): never {
  throw new ServiceError('unavailable', 'Tokens of this issuer cannot be checked at the moment', {
    reason: 'issuerKeys',
    retryAfterSeconds: FETCH_INTERVAL_MS / 1_000,
  });
}

/** The keys come from the configured issuer alone, never from an address or a key of a token. */
async function readKeys({ issuer, jwksUri }: IssuerKeysOptions['issuer'], request: ProviderRequest) {
  const { document } = await readPublished(jwksUri ?? (await discoveredAddress(issuer, request)), request);
  const published = document as unknown as JSONWebKeySet; // jose checks its form.
  return { find: createLocalJWKSet(published), isEmpty: published.keys.length === 0 };
}

async function discoveredAddress(issuer: string, request: ProviderRequest): Promise<string> {
  const { document } = await readPublished(discoveryAddress(issuer), request);
  const { issuer: announced, jwks_uri } = document;
  if (announced === issuer && typeof jwks_uri === 'string') return jwks_uri;
  throw new TypeError('the discovery document is of another issuer, or has no jwks_uri');
}
