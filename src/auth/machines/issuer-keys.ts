import { createLocalJWKSet, type JSONWebKeySet } from 'jose';
import type { TrustedIssuer } from '../../config/trusted-issuers.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { discoveryAddress, readPublished, type ProviderRequest } from '../login/provider-requests.ts';

/** The keys of one fetch. */
export interface KeySet {
  readonly find: ReturnType<typeof createLocalJWKSet>;
  readonly count: number;
  readonly fetchedMs: number;
}

/** The keys of one trusted issuer: fetched when they are needed, shared by all its tokens. */
export type IssuerKeys = ReturnType<typeof createIssuerKeys>;

interface IssuerKeysOptions {
  readonly issuer: Pick<TrustedIssuer, 'issuer' | 'jwksUri'>;
  readonly request: ProviderRequest;
  /** Monotonic, in milliseconds. */
  readonly elapsed: () => number;
  readonly onFailure: (error: unknown) => void;
}

/** Older keys are fetched again. */
export const REFRESH_AFTER_MS = 600_000;
/** Between two fetches, whatever tokens name and whatever the issuer answers. */
export const FETCH_INTERVAL_MS = 30_000;
/** The last good keys hold for so long while the issuer cannot be reached. */
export const MAX_AGE_MS = 3_600_000;

export function createIssuerKeys({ issuer, request, elapsed, onFailure }: IssuerKeysOptions) {
  let keys: KeySet | undefined;
  let begunMs = -Infinity;
  let hasFailed = false;
  let running: Promise<void> | undefined;

  const fetchOnce = async (): Promise<void> => {
    try {
      const published = await readKeys(issuer, request);
      const find = createLocalJWKSet(published);
      keys = { find, count: published.keys.length, fetchedMs: elapsed() };
      hasFailed = false;
    } catch (error) {
      hasFailed = true;
      onFailure(error);
    }
  };
  const refresh = (): Promise<void> => {
    if (running === undefined && elapsed() - begunMs >= FETCH_INTERVAL_MS) {
      begunMs = elapsed();
      running = fetchOnce().finally(() => (running = undefined));
    }
    return running ?? Promise.resolve();
  };
  const ageMs = (): number => (keys === undefined ? Infinity : elapsed() - keys.fetchedMs);
  const usable = (): KeySet | undefined =>
    keys !== undefined && keys.count > 0 && ageMs() < MAX_AGE_MS ? keys : undefined;

  return {
    /** How long ago the keys were fetched; undefined without keys. */
    ageMs: () => (keys === undefined ? undefined : ageMs()),
    /** @throws {ServiceError} `unavailable` while there are no usable keys */
    async current(): Promise<KeySet> {
      const refreshed = ageMs() >= REFRESH_AFTER_MS || keys?.count === 0 ? refresh() : undefined;
      // No request waits for newer keys as long as the last ones hold.
      if (usable() === undefined) await refreshed;
      return usable() ?? noKeys();
    },
    /**
     * Newer keys, for a token whose key is not in `known`; undefined if there are none.
     * @throws {ServiceError} `unavailable` while the issuer cannot be reached
     */
    async renewed(known: KeySet): Promise<KeySet | undefined> {
      if (keys === known) await refresh();
      if (keys !== known) return usable() ?? noKeys();
      return hasFailed ? noKeys() : undefined;
    },
  };
}

function noKeys(): never {
  throw new ServiceError('unavailable', 'Tokens of this issuer cannot be checked at the moment', {
    reason: 'issuerKeys',
    retryAfterSeconds: FETCH_INTERVAL_MS / 1_000,
  });
}

/** The keys come from the configured issuer alone, never from an address or a key of a token. */
async function readKeys(
  { issuer, jwksUri }: IssuerKeysOptions['issuer'],
  request: ProviderRequest,
): Promise<JSONWebKeySet> {
  const { document } = await readPublished(jwksUri ?? (await discoveredAddress(issuer, request)), request);
  return document as unknown as JSONWebKeySet; // jose checks its form.
}

async function discoveredAddress(issuer: string, request: ProviderRequest): Promise<string> {
  const { document } = await readPublished(discoveryAddress(issuer), request);
  const { issuer: announced, jwks_uri } = document;
  if (announced === issuer && typeof jwks_uri === 'string') return jwks_uri;
  throw new TypeError('the discovery document is of another issuer, or has no jwks_uri');
}
