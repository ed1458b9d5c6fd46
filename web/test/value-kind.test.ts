import { expect, test } from 'vitest';
import { makeCertificate } from '../../test/fakes/certificate.ts';
import { valueKind } from '../src/values/value-kind.ts';

const { cert, key } = makeCertificate('orders.example.com');
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = (claims: object) => `${part({ alg: 'HS256' })}.${part(claims)}.c2lnbmF0dXJl`;

test.each([
  ['', 'Empty'],
  [cert, 'Certificate CN=orders.example.com'],
  [cert + cert, 'Certificate CN=orders.example.com and 1 more'],
  [key, 'Private key'],
  ['-----BEGIN PUBLIC KEY-----\nAA==\n-----END PUBLIC KEY-----', 'Public key'],
  ['{"a": 1}', 'JSON'],
  [JSON.stringify({ client_email: 'a@b', private_key: key }), 'JSON'],
  ['postgres://user:planted@db/orders', 'URL'],
  [jwt({ sub: 'planted' }), 'JWT'],
])('a value is named for what it is: %#', (value, text) => {
  expect(valueKind('a', value)?.text).toBe(text);
});

test.each([
  'password',
  'a.b.c',
  '{not json',
  `key: |\n${key.replace(/^/gm, '  ')}`,
  '1.2.3',
  'http://',
  `${part({ a: 1 })}.${part({})}.x`,
  'x'.repeat(2_000_000),
])('a value is not named for what it only resembles: %#', (value) => {
  expect(valueKind('a', value)).toBeUndefined();
});

test('a certificate and a JWT say when they expire', () => {
  expect(valueKind('a', jwt({ exp: 1_800_000_000 }))).toEqual({ text: 'JWT', expires: 1_800_000_000_000 });
  expect(valueKind('a', jwt({ exp: 1e300 }))).toEqual({ text: 'JWT' });
  expect(valueKind('a', cert)?.expires).toBeGreaterThan(0);
});

test('a docker configuration has its number of registries', () => {
  expect(valueKind('.dockerconfigjson', '{"auths":{"a":{},"b":{}}}')).toEqual({ text: '2 registries' });
});
