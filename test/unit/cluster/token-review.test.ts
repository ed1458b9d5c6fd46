import { describe, expect, it } from 'vitest';
import { createTokenReview } from '../../../src/cluster/cluster.ts';
import { clusterError } from '../../../src/cluster/transport/errors.ts';
import { unhurriedCall } from '../../fakes/fake-call.ts';
import { scriptGateway } from './scripted-gateway.ts';

const USER = { username: 'system:serviceaccount:team-a:job', uid: 'u' };
const GOOD = { authenticated: true, user: USER, audiences: ['secrets'] };

describe('a review of a token', () => {
  const review = (status: unknown, gateway = scriptGateway({ kind: 'TokenReview', status })) =>
    createTokenReview(gateway)('the.token.itself', 'secrets', unhurriedCall());

  it('is sent with our audience', async () => {
    const gateway = scriptGateway({ status: GOOD });
    expect(await review(GOOD, gateway)).toEqual({ username: USER.username, audiences: ['secrets'] });
    expect(gateway.requests).toMatchObject([
      {
        verb: 'create',
        resource: { api: '/apis/authentication.k8s.io/v1', plural: 'tokenreviews' },
        body: { kind: 'TokenReview', spec: { token: 'the.token.itself', audiences: ['secrets'] } },
      },
    ]);
  });

  it.each([
    ['is not authenticated', { user: {}, error: '[invalid bearer token]' }],
    ['is authenticated and has an error', { ...GOOD, error: 'invalid' }],
    ['is authenticated by a text', { ...GOOD, authenticated: 'true' }],
    ['is authenticated by what it inherits', Object.create(GOOD) as object],
    ['is no object', 'authenticated'],
    ['is absent', undefined],
  ])('finds no one when the status %s', async (_what, status) => {
    expect(await review(status)).toBeUndefined();
  });

  it.each([
    ['no audiences', undefined],
    ['a text', 'secrets'],
    ['null', null],
  ])('names no audience where the status has %s', async (_what, audiences) => {
    expect(await review({ ...GOOD, audiences })).toEqual({ username: USER.username, audiences: [] });
  });

  it('passes on that the cluster cannot say', async () => {
    const gateway = scriptGateway(clusterError('rbacForbidden', 'create tokenreviews'));
    await expect(review(GOOD, gateway)).rejects.toMatchObject({ code: 'rbacForbidden' });
  });
});
