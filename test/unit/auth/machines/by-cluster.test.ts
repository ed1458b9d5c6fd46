import { describe, expect, it } from 'vitest';
import { createMachines } from '../../../../src/auth/machines/machines.ts';
import { ServiceError } from '../../../../src/errors/service-error.ts';
import { createLogger } from '../../../../src/observability/logger.ts';
import { createMetrics } from '../../../../src/observability/metrics.ts';
import { startDeadline } from '../../../../src/timing/deadline.ts';
import { spellJwt } from '../../../hostile-idp/forge-jwt.ts';

const ISSUER = 'kubernetes/serviceaccount';
const AUDIENCE = 'secrets';
const SUBJECT = 'system:serviceaccount:team-a:job';
const GOOD = { username: SUBJECT, audiences: [AUDIENCE] };
const NOW = Date.parse('2026-01-01T00:00:00Z');

/** A token whose signature only the cluster can check. */
const tokenWith = (claims: object = {}): string => {
  const seconds = NOW / 1_000;
  const given = { iss: ISSUER, aud: [AUDIENCE], sub: SUBJECT, iat: seconds, exp: seconds + 3_600, ...claims };
  return spellJwt('{"alg":"RS256"}', JSON.stringify(given), () => Buffer.from('signature'));
};

function open(review: () => Promise<unknown> = () => Promise.resolve(GOOD)) {
  let time = NOW;
  let behindMs = 0;
  let reviews = 0;
  const machines = createMachines({
    auth: {
      trustedIssuers: [
        { name: 'here', kind: 'cluster', issuer: ISSUER, audience: AUDIENCE, requiredClaims: [] },
      ],
      oidc: undefined,
    },
    fetchTrusting: () => () => Promise.reject(new TypeError('the cluster has no keys to fetch')),
    reviewToken: () => {
      reviews++;
      return review() as Promise<typeof GOOD | undefined>;
    },
    now: () => time - behindMs,
    elapsed: () => time,
    isRevoked: undefined,
    logger: createLogger('silent'),
    metrics: createMetrics('1'),
  });
  return {
    send: (token = tokenWith()) => machines.authenticate(token, startDeadline(1_000)),
    after: (ms: number) => {
      time += ms;
    },
    /** The wall clock goes back, as when it is set. */
    setBack: (ms: number) => {
      behindMs += ms;
    },
    reviews: () => reviews,
  };
}

describe('a token that the cluster verifies', () => {
  it('has its own claims, once it is authenticated', async () => {
    const { send } = open();
    expect(await send()).toMatchObject({ issuer: 'here', claims: { sub: SUBJECT } });
  });

  it('is reviewed again within a minute, so that it ends with its pod', async () => {
    let answer: unknown = GOOD;
    const { send, after, reviews } = open(() => Promise.resolve(answer));
    await send();
    answer = undefined;
    after(49_000);
    await send();
    expect(reviews()).toBe(1);
    after(1_000);
    await expect(send()).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(reviews()).toBe(2);
  });

  it('is reviewed again within a minute, whatever becomes of the wall clock', async () => {
    const { send, after, setBack, reviews } = open();
    await send();
    setBack(30_000);
    after(50_000);
    await send();
    expect(reviews()).toBe(2);
  });

  it('ends while its review counts', async () => {
    const { send, after } = open();
    const token = tokenWith({ iat: NOW / 1_000 - 600, exp: NOW / 1_000 - 30 });
    await send(token);
    after(30_000);
    await expect(send(token)).rejects.toMatchObject({ reason: 'expired' });
  });

  it('is reviewed at most eight times at once, however many requests have it', async () => {
    const release = Promise.withResolvers<typeof GOOD>();
    const { send, reviews } = open(() => release.promise);
    const all = Promise.all(Array.from({ length: 100 }, () => send()));
    await Promise.resolve();
    release.resolve(GOOD);
    await all;
    expect(reviews()).toBeLessThanOrEqual(8);
  });

  it.each([
    ['authenticates no one', undefined, 'notAuthenticated'],
    ['names no audiences', { ...GOOD, audiences: [] }, 'audience'],
    ['names other audiences', { ...GOOD, audiences: ['secrets-2', ['secrets']] }, 'audience'],
    ['names another account', { ...GOOD, username: `${SUBJECT}-2` }, 'noServiceAccount'],
    ['names no account', { ...GOOD, username: undefined }, 'noServiceAccount'],
  ])('is refused when the cluster %s', async (_what, answer, reason) => {
    const { send } = open(() => Promise.resolve(answer));
    await expect(send()).rejects.toMatchObject({ code: 'unauthenticated', reason });
  });

  it('is refused when it is no service account, even if the cluster authenticates its user', async () => {
    const { send } = open(() => Promise.resolve({ ...GOOD, username: 'ada' }));
    await expect(send(tokenWith({ sub: 'ada' }))).rejects.toMatchObject({ reason: 'noServiceAccount' });
  });

  it.each([
    ['another audience', { aud: 'vault' }, 'audience'],
    ['no audience', { aud: undefined }, 'audience'],
    ['no exp, as tokens in Secrets have none', { exp: undefined }, 'expired'],
    ['an exp in the past', { exp: NOW / 1_000 - 61 }, 'expired'],
    ['an exp of a year', { exp: NOW / 1_000 + 31_536_000 }, 'lifetime'],
    ['no iat', { iat: undefined }, 'issuedAt'],
    ['an iat in the future', { iat: NOW / 1_000 + 90 }, 'issuedAt'],
    ['an nbf in the future', { nbf: NOW / 1_000 + 90 }, 'notYetValid'],
    ['another issuer', { iss: 'kubernetes/serviceaccount/' }, 'issuerUnknown'],
  ])('with %s is refused without a review', async (_what, claims, reason) => {
    const { send, reviews } = open();
    await expect(send(tokenWith(claims))).rejects.toMatchObject({ code: 'unauthenticated', reason });
    expect(reviews()).toBe(0);
  });

  it('is not refused while the cluster cannot say', async () => {
    const { send } = open(() =>
      Promise.reject(new ServiceError('unavailable', 'The cluster is unavailable')),
    );
    await expect(send()).rejects.toMatchObject({ code: 'unavailable' });
  });
});
