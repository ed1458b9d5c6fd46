import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../../hack/dev-cluster/api/status.ts';
import { continueToken, readContinueToken } from '../../../../hack/dev-cluster/resources/continue-token.ts';

describe('a continue token', () => {
  it('survives the way to the client and back', () => {
    const token = continueToken({ revision: 7, start: 'ns/é\u0000' });
    expect(token).toMatch(/^[\w-]+$/);
    expect(readContinueToken(token)).toEqual({ revision: 7, start: 'ns/é\u0000' });
  });

  it.each([
    'abc',
    '',
    Buffer.from('{}').toString('base64url'),
    Buffer.from('{"v":"meta.k8s.io/v1","rv":"1","start":"a"}').toString('base64url'),
  ])('%j is none: 400', (token) => {
    expect(() => readContinueToken(token)).toThrow(ApiError);
  });
});
