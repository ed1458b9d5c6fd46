import { hash } from 'node:crypto';
import type { MachineToken } from '../../access/actor.ts';
import { machineRefused } from '../../access/machine-bindings.ts';
import type { TrustedIssuer } from '../../config/trusted-issuers.ts';
import { isServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { createProviderFetch, REQUEST_TIMEOUT_MS, type Fetch } from '../login/provider-requests.ts';
import type { AddressPolicy } from '../login/provider-rules.ts';
import { translateFailure } from '../login/translate-failure.ts';
import type { IsRevoked } from '../session/revocations.ts';
import { createIssuerKeys } from './issuer-keys.ts';
import {
  issuerOfToken,
  TokenRefused,
  verifyToken,
  type KnownIssuer,
  type VerifiedToken,
} from './verify-token.ts';

export interface MachinesOptions {
  readonly issuers: readonly TrustedIssuer[];
  readonly policy: AddressPolicy;
  readonly fetch: Fetch;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Monotonic, in milliseconds. */
  readonly elapsed: () => number;
  readonly isRevoked: IsRevoked | undefined;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'inc' | 'replace' | 'onExpose'>;
}

const MAX_KEYS_BYTES = 262_144;
const BEARER = /^Bearer +(\S+)$/i;

/** Authenticates machines by the tokens of trusted issuers. */
export function createMachines(options: MachinesOptions) {
  const { metrics, now, isRevoked } = options;
  const issuers = options.issuers.map((issuer) => knownIssuer(issuer, options));
  const known = createKnownTokens();
  metrics.onExpose(() => {
    const ages = issuers.map(({ name, keys }) => ({ labels: { issuer: name }, value: keys.ageMs() }));
    metrics.replace(
      'service_issuer_keys_age_seconds',
      ages.flatMap(({ labels, value }) => (value === undefined ? [] : [{ labels, value: value / 1_000 }])),
    );
  });
  const verified = async (token: string, issuer: KnownIssuer): Promise<VerifiedToken> => {
    const digest = hash('sha256', token, 'hex');
    const before = known.get(digest);
    // With other keys the signature may no longer count.
    if (before?.keys === (await issuer.keys.current()) && now() < before.expiresMs) return before;
    const verification = await verifyToken(token, issuer, now());
    known.set(digest, verification, token.length);
    return verification;
  };
  return {
    /** @throws {ServiceError} `unauthenticated`, with one text for all reasons; `unavailable` without keys of the issuer */
    async authenticate(authorization: string): Promise<MachineToken> {
      let issuer: KnownIssuer | undefined;
      const count = (outcome: string): void => {
        metrics.inc('service_machine_tokens_total', { issuer: issuer?.name ?? '', outcome });
      };
      try {
        const token = BEARER.exec(authorization)?.[1];
        if (token === undefined) throw new TokenRefused('malformed');
        issuer = issuerOfToken(token, issuers);
        const { claims, issuedMs } = await verified(token, issuer);
        count('ok');
        const isEnded = (email: string): boolean => isRevoked?.({ email, issuedMs }) ?? false;
        return { issuer: issuer.name, claims, isEnded };
      } catch (error) {
        if (error instanceof TokenRefused) {
          count(error.reason);
          throw machineRefused(error.reason);
        }
        if (isServiceError(error)) count(error.code);
        throw error;
      }
    },
  };
}

function knownIssuer(issuer: TrustedIssuer, options: MachinesOptions): KnownIssuer {
  const { fetch, policy, elapsed, logger } = options;
  const limits = { timeoutMs: REQUEST_TIMEOUT_MS, maxBytes: MAX_KEYS_BYTES };
  const keys = createIssuerKeys({
    issuer,
    request: createProviderFetch({ fetch, policy, ...limits }),
    elapsed,
    onFailure: (error) => {
      const { code, details } = translateFailure(error);
      logger.warn('keys of an issuer could not be fetched', {
        issuer: issuer.name,
        code,
        systemCode: details.systemCode,
      });
    },
  });
  return { ...issuer, keys };
}

/** Characters of the tokens together; their claims take about as much. */
const MAX_KNOWN_CHARACTERS = 4_194_304;

/**
 * Results by the hex SHA-256 of the token, which itself is not kept: a job sends the same token with each request. Refused
 * tokens are not remembered.
 */
function createKnownTokens() {
  const known = new Map<string, { readonly result: VerifiedToken; readonly characters: number }>();
  let characters = 0;
  const forget = (digest: string): void => {
    characters -= known.get(digest)?.characters ?? 0;
    known.delete(digest);
  };
  return {
    get: (digest: string): VerifiedToken | undefined => known.get(digest)?.result,
    set(digest: string, result: VerifiedToken, length: number): void {
      forget(digest);
      known.set(digest, { result, characters: length });
      characters += length;
      for (const oldest of known.keys()) {
        if (characters <= MAX_KNOWN_CHARACTERS) return;
        forget(oldest);
      }
    },
  };
}
