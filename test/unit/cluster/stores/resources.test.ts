import { describe, expect, it } from 'vitest';
import { addressOf, headersOf } from '../../../../src/cluster/transport/request.ts';
import {
  NAMESPACES,
  resourcePath,
  SECRETS,
  type Resource,
} from '../../../../src/cluster/objects/resources.ts';

const LEASES: Resource = {
  api: '/apis/coordination.k8s.io/v1',
  group: 'coordination.k8s.io',
  plural: 'leases',
  kind: 'Lease',
};

describe('resourcePath', () => {
  it('names objects, collections and collections over all namespaces', () => {
    expect(resourcePath(SECRETS, 'team-a', 'a.b')).toBe('/api/v1/namespaces/team-a/secrets/a.b');
    expect(resourcePath(SECRETS, 'team-a')).toBe('/api/v1/namespaces/team-a/secrets');
    expect(resourcePath(SECRETS)).toBe('/api/v1/secrets');
    expect(resourcePath(NAMESPACES, undefined, 'team-a')).toBe('/api/v1/namespaces/team-a');
    expect(resourcePath(LEASES, 'x', 'y')).toBe('/apis/coordination.k8s.io/v1/namespaces/x/leases/y');
  });

  it.each(['', '.', '..', '\ud800'])('refuses the segment %j', (segment) => {
    expect(() => resourcePath(SECRETS, 'team-a', segment)).toThrow(
      expect.objectContaining({ code: 'invalidRequest' }),
    );
    expect(() => resourcePath(SECRETS, segment, 'a')).toThrow(
      expect.objectContaining({ code: 'invalidRequest' }),
    );
  });

  it.each(['../pods', 'a/b', 'a?watch=true', 'a#b', 'a%2Fb', 'a b', '\r\n', '...'])(
    'keeps %j in its place',
    (segment) => {
      const { pathname, search, hash } = new URL(`http://x${resourcePath(SECRETS, 'team-a', segment)}`);
      expect(pathname.split('/')).toHaveLength(7);
      expect(decodeURIComponent(pathname.split('/')[6] ?? '')).toBe(segment);
      expect([search, hash]).toEqual(['', '']);
    },
  );
});

describe('addressOf', () => {
  const request = { verb: 'list', resource: SECRETS, namespace: 'team-a' } as const;

  it('keeps a path that the server is behind', () => {
    expect(addressOf(request, 'https://proxy.example/k8s/clusters/c-1/')).toEqual({
      origin: 'https://proxy.example',
      path: '/k8s/clusters/c-1/api/v1/namespaces/team-a/secrets',
    });
  });

  it('encodes the query and leaves out what is undefined', () => {
    const query = { labelSelector: 'a!=b,c', continue: undefined, limit: '5' };
    const { path } = addressOf({ ...request, query }, 'http://127.0.0.1:1');
    expect(path).toBe('/api/v1/namespaces/team-a/secrets?labelSelector=a%21%3Db%2Cc&limit=5');
  });
});

describe('headersOf', () => {
  it('says what a body is only when there is one, and signs in', () => {
    const request = { verb: 'get', resource: SECRETS } as const;
    expect(headersOf(request, { authorization: 'Bearer t' })).toEqual({
      accept: 'application/json',
      'user-agent': 'secrets-management-service',
      authorization: 'Bearer t',
    });
    expect(
      headersOf({ ...request, body: {}, contentType: 'application/merge-patch+json' }, {}),
    ).toMatchObject({
      'content-type': 'application/merge-patch+json',
    });
  });

  it('accepts nothing but metadata where no more is wanted', () => {
    const request = { resource: SECRETS, asMetadata: true };
    for (const verb of ['get', 'watch', 'patch', 'delete'] as const)
      expect(headersOf({ verb, ...request }, {})['accept']).toBe(
        'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
      );
    expect(headersOf({ verb: 'list', ...request }, {})['accept']).toBe(
      'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
    );
  });
});
