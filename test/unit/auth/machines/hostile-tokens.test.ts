import { describe, expect, it } from 'vitest';
import { REFRESH_AFTER_MS } from '../../../../src/auth/machines/issuer-keys.ts';
import { createMachines } from '../../../../src/auth/machines/machines.ts';
import { createLogger } from '../../../../src/observability/logger.ts';
import { createMetrics } from '../../../../src/observability/metrics.ts';
import { startDeadline } from '../../../../src/timing/deadline.ts';
import { FORGERIES } from '../../../hostile-idp/hostile-tokens.ts';
import {
  AUDIENCE,
  createTokenMaker,
  publishedKeys,
  type TokenMaker,
} from '../../../hostile-idp/start-token-issuer.ts';

// The same tokens as in test/contract/sign-in/hostile-tokens.test.ts, without the service around.

const issuer = createTokenMaker('https://ci.example.com');
const other = createTokenMaker('https://other.example.com');

const published = new Map<string, object>(
  [issuer, other].flatMap(({ issuer: url, keys }) => [
    [`${url}/.well-known/openid-configuration`, { issuer: url, jwks_uri: `${url}/jwks` }],
    [`${url}/jwks`, publishedKeys(keys)],
  ]),
);

const trusted = (name: string, { issuer: url }: TokenMaker) => ({
  name,
  issuer: url,
  audience: AUDIENCE,
  requiredClaims: [['project_id', ['7', '8']]] as const,
});

let elapsed = 0;
const machines = createMachines({
  auth: { trustedIssuers: [trusted('ci', issuer), trusted('other', other)], oidc: undefined },
  fetchTrusting: () => (url) => Promise.resolve(Response.json(published.get(new URL(url).href))),
  reviewToken: () => Promise.reject(new Error('no issuer is the cluster')),
  now: Date.now,
  elapsed: () => elapsed,
  isRevoked: undefined,
  logger: createLogger('silent'),
  metrics: createMetrics('1'),
});

const authenticate = (token: string) => machines.authenticate(token, startDeadline(5_000));

describe('the verification of tokens', () => {
  it('accepts one by the book', async () => {
    expect(await authenticate(issuer.token())).toMatchObject({ issuer: 'ci', claims: { project_id: '7' } });
  });

  it('refuses one that it accepted before, once the issuer no longer has its key', async () => {
    const token = issuer.token();
    await authenticate(token);
    const keys = { keys: [issuer.keys.next.publicJwk] };
    published.set(`${issuer.issuer}/jwks`, keys);
    elapsed += REFRESH_AFTER_MS;
    // Whoever comes first does not wait for the new keys.
    await authenticate(token);
    await expect
      .poll(() =>
        authenticate(token).then(
          () => 'accepted',
          (error: unknown) => error,
        ),
      )
      .toMatchObject({
        code: 'unauthenticated',
        reason: 'keyUnknown',
      });
    published.set(`${issuer.issuer}/jwks`, publishedKeys(issuer.keys));
    elapsed += REFRESH_AFTER_MS;
    await expect
      .poll(() =>
        authenticate(token).then(
          () => 'accepted',
          (error: unknown) => error,
        ),
      )
      .toBe('accepted');
  });

  it.each(FORGERIES)('refuses one with %s', async (_name, forgery, reason) => {
    const token = issuer.token(typeof forgery === 'function' ? forgery(issuer, other) : forgery);
    await expect(authenticate(token)).rejects.toMatchObject({
      code: 'unauthenticated',
      message: 'The bearer token is not accepted',
      reason,
    });
  });
});
