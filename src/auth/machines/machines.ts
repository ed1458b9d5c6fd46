import { hash } from 'node:crypto';
import type { MachineToken } from '../../access/actor.ts';
import type { Settings } from '../../config/settings.ts';
import type { TrustedIssuer } from '../../config/trusted-issuers.ts';
import { isServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { createProviderFetch, type Fetch } from '../login/provider-requests.ts';
import { translateFailure } from '../login/translate-failure.ts';
import type { IsRevoked } from '../session/revocations.ts';
import { createConcurrencyLimit } from '../../timing/concurrency-limit.ts';
import type { Deadline } from '../../timing/deadline.ts';
import { createIssuerKeys, type IssuerKeys } from './issuer-keys.ts';
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

/** An issuer with its keys; undefined where the cluster verifies. */
interface KnownIssuer extends TrustedIssuer {
  readonly keys: IssuerKeys | undefined;
}

const MAX_KEYS_BYTES = 262_144;
/** Anyone can send tokens that only the cluster can refuse. Further ones wait. */
const REVIEWS_AT_ONCE = 8;
/** Tokens of at most 8 KiB whose claims are remembered; the oldest go first. */
const MAX_REVIEWED = 1_024;

export type Machines = ReturnType<typeof createMachines>;

/** Authenticates machines by the tokens of trusted issuers. */
export function createMachines(options: MachinesOptions) {
  const { metrics, isRevoked } = options;
  const issuers = options.auth.trustedIssuers.map((issuer) => knownIssuer(issuer, options));
  metrics.onExpose(() => {
    const ages = issuers.map(({ name, keys }) => ({ labels: { issuer: name }, value: keys?.ageMs() }));
    metrics.replace(
      'service_issuer_keys_age_seconds',
      ages.flatMap(({ labels, value }) => (value === undefined ? [] : [{ labels, value: value / 1_000 }])),
    );
  });
  const verify = createVerification(options);
  return {
    /**
     * The machine of a bearer token; empty where the header has none.
     * @throws {ServiceError} `unauthenticated`, with one text for all reasons; `unavailable` without keys of the issuer
     */
    async authenticate(token: string, deadline: Deadline): Promise<MachineToken> {
      let issuer: KnownIssuer | undefined;
      const count = (outcome: string): void => {
        metrics.inc('service_machine_tokens_total', { issuer: issuer?.name ?? '', outcome });
      };
      try {
        issuer = issuerOfToken(token, issuers);
        const { claims, issuedMs } = await verify(token, issuer, deadline);
        count('ok');
        const isEnded = (email: string): boolean => isRevoked?.({ email, issuedMs }) ?? false;
        return { issuer: issuer.name, claims, isEnded };
      } catch (error) {
        if (!isServiceError(error)) throw error;
        const { code, reason = code } = error;
        count(code === 'unauthenticated' ? reason : code);
        throw error;
      }
    },
  };
}

/** Verifies tokens. What the cluster says is remembered, since each review is a request. */
function createVerification({ reviewToken, now = Date.now }: Pick<MachinesOptions, 'reviewToken' | 'now'>) {
  /** By the hex SHA-256 of the token. */
  const reviewed = new Map<string, VerifiedToken>();
  const reviews = createConcurrencyLimit(REVIEWS_AT_ONCE);
  const reviewedBefore = (digest: string): VerifiedToken | undefined => {
    const before = reviewed.get(digest);
    return before !== undefined && now() < before.expiresMs ? before : undefined;
  };
  return async (token: string, issuer: KnownIssuer, deadline: Deadline): Promise<VerifiedToken> => {
    if (issuer.keys !== undefined) return verifyToken(token, issuer, issuer.keys, now());
    const digest = hash('sha256', token, 'hex');
    const reviewAndKeep = async (): Promise<VerifiedToken> => {
      const review = () => reviewToken(token, issuer.audience, deadline);
      const result = await verifyByCluster(token, issuer, review, now());
      reviewed.delete(digest);
      reviewed.set(digest, result);
      const [oldest = ''] = reviewed.keys();
      if (reviewed.size > MAX_REVIEWED) reviewed.delete(oldest);
      return result;
    };
    // Whoever waited for the same token finds it.
    return reviewedBefore(digest) ?? reviews(async () => reviewedBefore(digest) ?? reviewAndKeep());
  };
}

function knownIssuer(issuer: TrustedIssuer, options: MachinesOptions): KnownIssuer {
  if (issuer.kind === 'cluster') return { ...issuer, keys: undefined };
  const { auth, elapsed = () => performance.now(), logger } = options;
  const fetch = options.fetchTrusting(issuer.ca);
  const allowHttp = auth.oidc?.allowHttp === true;
  const keys = createIssuerKeys({
    issuer,
    request: createProviderFetch({ fetch, allowHttp, maxBytes: MAX_KEYS_BYTES }),
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
