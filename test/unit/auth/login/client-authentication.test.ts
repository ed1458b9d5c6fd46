import fc from 'fast-check';
import type * as client from 'openid-client';
import { describe, expect, test } from 'vitest';
import {
  basicAuthorization,
  clientAuthentication,
  type ClientCredentials,
} from '../../../../src/auth/login/provider.ts';

/** The two parts as they stand in the header. */
function partsOf(authorization: string): readonly [id: string, secret: string] {
  const text = Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString('latin1');
  const colon = text.indexOf(':');
  return [text.slice(0, colon), text.slice(colon + 1)];
}

const formDecoded = (part: string): string => new URLSearchParams(`value=${part}`).get('value') ?? '';

function sent(credentials: Partial<ClientCredentials>): {
  authorization: string | null;
  body: Record<string, string>;
} {
  const all = {
    clientId: 'client',
    clientSecret: undefined,
    clientAuthMethod: 'client_secret_basic',
    ...credentials,
  };
  const headers = new Headers();
  const body = new URLSearchParams();
  const server = { issuer: 'https://provider.example' } as client.ServerMetadata;
  clientAuthentication(all as ClientCredentials)(server, { client_id: all.clientId }, body, headers);
  return { authorization: headers.get('authorization'), body: Object.fromEntries(body) };
}

describe('client_secret_basic', () => {
  test.each(['-_.~!*\'()/=&$#@?,;^|{}[]<>"`\\', 'Zq3v-9Lk2_Xw7R~t5Yb.8Nc4/Mf6Hd=='])(
    'sends %s as it is, for providers that do not decode',
    (secret) => {
      expect(partsOf(basicAuthorization(secret, secret))).toEqual([secret, secret]);
    },
  );

  test.each([
    ['100%', '100%25'],
    ['a+b', 'a%2Bb'],
    ['a:b', 'a%3Ab'],
    ['a b', 'a%20b'],
    ['a\tb\u007f', 'a%09b%7F'],
    ['ü€😀', '%C3%BC%E2%82%AC%F0%9F%98%80'],
    ['half \ud800 a pair', 'half%20%EF%BF%BD%20a%20pair'],
  ])('encodes what a decoder would change: %j', (text, encoded) => {
    expect(partsOf(basicAuthorization(text, text))).toEqual([encoded, encoded]);
  });

  test('reads the same to every provider that decodes, whatever the id and the secret are', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 });
    fc.assert(
      fc.property(text, text, (id, secret) => {
        const [sentId, sentSecret] = partsOf(basicAuthorization(id, secret));
        // URLSearchParams splits at these, which a decoder of the header does not.
        const whole = (part: string): string => formDecoded(part.replaceAll('&', '%26'));
        expect([whole(sentId), whole(sentSecret)]).toEqual([id, secret]);
      }),
    );
  });
});

describe('the client', () => {
  test('authenticates by the header alone with client_secret_basic', () => {
    expect(sent({ clientSecret: 'se-cret' })).toEqual({
      authorization: basicAuthorization('client', 'se-cret'),
      body: {},
    });
  });

  test('authenticates in the body alone with client_secret_post', () => {
    expect(sent({ clientSecret: 'se-cret', clientAuthMethod: 'client_secret_post' })).toEqual({
      authorization: null,
      body: { client_id: 'client', client_secret: 'se-cret' },
    });
  });

  test('only says who it is without a secret', () => {
    expect(sent({})).toEqual({ authorization: null, body: { client_id: 'client' } });
  });
});
