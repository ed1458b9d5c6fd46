import { hash } from 'node:crypto';
import type { MachineToken } from '../../access/actor.ts';
import type { Settings } from '../../config/settings.ts';
import type { TrustedIssuer } from '../../config/trusted-issuers.ts';
import { isServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { createProviderFetch, type Fetch } from '../login/provider-requests.ts';
import type { IsRevoked } from '../session/revocations.ts';
import { createConcurrencyLimit } from '../../timing/concurrency-limit.ts';
import type { Deadline } from '../../timing/deadline.ts';
import { createIssuerKeys } from './issuer-keys.ts';
import {
  issuerOfToken,
  verifyByCluster,
  verifyToken,
  type ReviewToken,
  type VerifiedToken,
} from './verify-token.ts';

export interface MachinesOptions {
  /** The trusted issuers, and whether plain http to them is allowed on loopback hosts. */
  readonly auth: Pick<Settings['auth'], 'trustedIssuers' | 'oidc'>;
  /** Trusts the certificates of an issuer's `caFile` alone. */
  readonly fetchTrusting: (ca: string | undefined) => Fetch;
  /** Of `kind: cluster`. */
  readonly reviewToken: ReviewToken;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Monotonic, in milliseconds. */
  readonly elapsed?: () => number;
  readonly isRevoked: IsRevoked | undefined;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'inc' | 'replace' | 'onExpose'>;
}

const MAX_KEYS_BYTES = 262_144;
/** Anyone can send tokens that only the cluster can refuse. Further ones wait. */
const REVIEWS_AT_ONCE = 8;
/** How long a review counts: a token ends with its pod. The cluster itself keeps what it found for ten seconds more. */
const REVIEW_HOLDS_MS = 50_000;
/** Tokens of at most 8 KiB whose claims are remembered; the oldest go first. */
const MAX_REVIEWED = 1_024;

export type Machines = ReturnType<typeof createMachines>;

/** Authenticates machines by the tokens of trusted issuers. */
export function createMachines(options: MachinesOptions) {
  const { auth, metrics, isRevoked, now = Date.now, elapsed = () => performance.now() } = options;
  const issuers = auth.trustedIssuers.map((issuer) => ({
    ...issuer,
    keys: keysOf(issuer, options, elapsed),
  }));
  const verifyByReview = createReviews(now, elapsed);
  metrics.onExpose(() => {
    const ages = issuers.flatMap(({ name, keys }) => {
      const ageMs = keys?.ageMs();
      return ageMs === undefined ? [] : [{ labels: { issuer: name }, value: ageMs / 1_000 }];
    });
    metrics.replace('service_issuer_keys_age_seconds', ages);
  });
  return {
    /**
     * The machine of a bearer token; empty where the header has none.
     * @param beforeReview rejects where a request to the cluster must not be sent
     * @throws {ServiceError} `unauthenticated`, with one text for all reasons; `unavailable` without keys of the issuer
     */
    async authenticate(
      token: string,
      deadline: Deadline,
      beforeReview?: () => Promise<void>,
    ): Promise<MachineToken> {
      let name = '';
      const count = (outcome: string): void => {
        metrics.inc('service_machine_tokens_total', { issuer: name, outcome });
      };
      try {
        const issuer = issuerOfToken(token, issuers);
        name = issuer.name;
        const review = async () => {
          await beforeReview?.();
          return options.reviewToken(token, issuer.audience, deadline);
        };
        const { claims, issuedMs } =
          issuer.keys === undefined
            ? await verifyByReview(token, issuer, review)
            : await verifyToken(token, issuer, issuer.keys.find, now());
        count('ok');
        const isEnded = (email: string): boolean => isRevoked?.({ email, issuedMs }) ?? false;
        return { issuer: name, claims, isEnded };
      } catch (error) {
        if (!isServiceError(error)) throw error;
        const { code, reason = code } = error;
        count(code === 'unauthenticated' ? reason : code);
        throw error;
      }
    },
  };
}

/** Undefined where the cluster verifies. */
function keysOf(issuer: TrustedIssuer, options: MachinesOptions, elapsed: () => number) {
  if (issuer.kind === 'cluster') return undefined;
  const { auth, logger } = options;
  const fetch = options.fetchTrusting(issuer.ca);
  const allowHttp = auth.oidc?.allowHttp === true;
  const request = createProviderFetch(fetch, allowHttp, { maxBytes: MAX_KEYS_BYTES });
  return createIssuerKeys({ issuer, request, elapsed, logger });
}

/** Verifies tokens by the cluster. What it says is remembered, since each review is a request. */
function createReviews(now: () => number, elapsed: () => number) {
  /** By the hex SHA-256 of the token. */
  const reviewed = new Map<string, VerifiedToken & { readonly untilMs: number }>();
  const reviews = createConcurrencyLimit(REVIEWS_AT_ONCE);
  return async (token: string, issuer: TrustedIssuer, request: () => ReturnType<ReviewToken>) => {
    const digest = hash('sha256', token, 'hex');
    const known = (): VerifiedToken | undefined => {
      const before = reviewed.get(digest);
      const holds = before !== undefined && elapsed() < before.untilMs && now() < before.expiresMs;
      return holds ? before : undefined;
    };
    const review = async (): Promise<VerifiedToken> => {
      const untilMs = elapsed() + REVIEW_HOLDS_MS;
      const result = { ...(await verifyByCluster(token, issuer, request, now())), untilMs };
      reviewed.delete(digest);
      reviewed.set(digest, result);
      const [oldest = ''] = reviewed.keys();
      if (reviewed.size > MAX_REVIEWED) reviewed.delete(oldest);
      return result;
    };
    // Whoever waited for the same token finds it.
    return known() ?? reviews(async () => known() ?? review());
  };
}
