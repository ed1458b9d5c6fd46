import { describe, expect, it } from 'vitest';
import { issueToken, readToken } from '../../../../hack/dev-cluster/access/tokens.ts';

const KEY = Buffer.alloc(32, 1);
const CLAIMS = { namespace: 'team', name: 'robot', uid: 'u-1' };
const issued = new Date('2026-01-01T00:00:00Z');
const expires = new Date('2026-01-01T01:00:00Z');
const token = issueToken(KEY, CLAIMS, { issued, expires }, ['api']);

describe('a service account token', () => {
  it('speaks for its account until it expires', () => {
    expect(readToken(KEY, token, new Date('2026-01-01T00:59:59Z'))).toEqual({
      account: CLAIMS,
      audiences: ['api'],
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
    });
    expect(readToken(KEY, token, expires)).toBeUndefined();
  });

  it('of another key is none', () => {
    expect(readToken(Buffer.alloc(32, 2), token, issued)).toBeUndefined();
  });

  it.each([
    ['no token at all', 'nonsense'],
    [
      'a changed payload',
      token.replace(/\.[^.]+\./, `.${Buffer.from('{"exp":9999999999}').toString('base64url')}.`),
    ],
    ['no signature', token.replace(/[^.]+$/, '')],
    ['another header', token.replace(/^[^.]+/, Buffer.from('{"alg":"none"}').toString('base64url'))],
    ['one part too many', `${token}.x`],
  ])('with %s is none', (_title, forged) => {
    expect(readToken(KEY, forged, issued)).toBeUndefined();
  });
});
