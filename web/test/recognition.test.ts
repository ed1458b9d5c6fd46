import { expect, test } from 'vitest';
import { makeCertificate } from '../../test/fakes/certificate.ts';
import { binaryKind } from '../src/values/value-kind.ts';
import { certificatesOf } from '../src/values/certificate.ts';
import { dockerConfig, editableRegistries, isDockerConfig, registriesOf } from '../src/values/registries.ts';

test('a certificate is read: subject, issuer, validity and names', () => {
  const { cert } = makeCertificate('orders.example.com');
  const [certificate, ...others] = certificatesOf(`text before\n${cert}\ntext after`);
  expect(others).toEqual([]);
  expect(certificate).toMatchObject({
    subject: 'CN=orders.example.com',
    issuer: 'CN=orders.example.com',
    names: ['localhost', '127.0.0.1'],
  });
  const { notBefore, notAfter } = certificate ?? {};
  expect((notAfter?.getTime() ?? 0) - (notBefore?.getTime() ?? 0)).toBe(25 * 3_600_000);
});

test('every certificate of a chain is read', () => {
  const chain = [makeCertificate('a').cert, makeCertificate('b').cert].join('\n');
  expect(certificatesOf(chain).map(({ subject }) => subject)).toEqual(['CN=a', 'CN=b']);
});

test('what only looks like a certificate is left out, however it is cut', () => {
  const { cert } = makeCertificate('cut');
  const body = cert.split('\n').slice(1, -2).join('');
  const bytes = Buffer.from(body, 'base64');
  for (let length = 0; length < 120; length++) {
    const pem = `-----BEGIN CERTIFICATE-----\n${bytes.subarray(0, length).toString('base64')}\n-----END CERTIFICATE-----`;
    expect(certificatesOf(pem)).toEqual([]);
  }
});

test('registries are read from both forms, with user and password from auth where need be', () => {
  const auth = Buffer.from('user:pass:word').toString('base64');
  const registry = { server: 'r.example.com', username: 'user', password: 'pass:word' };
  expect(registriesOf('.dockercfg', `{"r.example.com":{"auth":"${auth}"}}`)).toEqual([registry]);
  expect(registriesOf('.dockerconfigjson', dockerConfig('.dockerconfigjson', [registry]))).toEqual([
    registry,
  ]);
  expect(registriesOf('.dockerconfigjson', '{"auths":{"__proto__":{"username":"u"}}}')).toEqual([
    { server: '__proto__', username: 'u', password: '' },
  ]);
});

test('credentials that are not ASCII are read as they were written', () => {
  const registry = { server: 'r.example.com', username: 'jürgen', password: 'pässwörd 😀' };
  const { auth } = (
    JSON.parse(dockerConfig('.dockerconfigjson', [registry])) as { auths: Record<string, { auth: string }> }
  ).auths['r.example.com'] ?? { auth: '' };
  expect(registriesOf('.dockercfg', JSON.stringify({ 'r.example.com': { auth } }))).toEqual([registry]);
});

test('a list of registries can be edited and loses nothing', () => {
  const registries = [
    { server: 'a.example.com', username: 'u', password: 'p:q' },
    { server: '__proto__', username: '', password: 'token' },
  ];
  expect(editableRegistries('.dockerconfigjson', dockerConfig('.dockerconfigjson', registries))).toEqual(
    registries,
  );
  const auth = Buffer.from('u:p').toString('base64');
  expect(editableRegistries('.dockerconfigjson', `{"auths":{"a":{"auth":"${auth}"}}}`)).toEqual([
    { server: 'a', username: 'u', password: 'p' },
  ]);
});

test('where an entry disagrees with its auth, auth is what the cluster uses, and the form says so', () => {
  const text = '{"auths":{"a":{"username":"u","password":"p","auth":"eDp5"}}}';
  const used = { server: 'a', username: 'x', password: 'y' };
  expect(editableRegistries('.dockerconfigjson', text)).toEqual([{ ...used, isOverriding: true }]);
  expect(editableRegistries('.dockerconfigjson', '{"auths":{"a":{"username":"x","auth":"eDp5"}}}')).toEqual([
    used,
  ]);
  expect(
    editableRegistries('.dockerconfigjson', '{"auths":{"a":{"username":"x","password":"y","auth":""}}}'),
  ).toEqual([used]);
});

test.each([
  '{"auths":{},"credsStore":"desktop"}',
  '{"auths":{"a":{"auth":"!"}}}',
  '{"auths":{"a":{"username":"u","password":"p","email":"e"}}}',
  '{"auths":{"a":{"identitytoken":"t"}}}',
  '{"auths":{"a":null}}',
  'null',
  '',
])('%s is more than a form of registries can hold', (text) => {
  expect(editableRegistries('.dockerconfigjson', text)).toBeUndefined();
});

test('more than 100 registries are more than a form of registries can hold', () => {
  const text = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`r${index}`, {}])));
  expect(editableRegistries('.dockercfg', text(100))).toHaveLength(100);
  expect(editableRegistries('.dockercfg', text(101))).toBeUndefined();
});

test('a configuration of docker is recognized by its registries', () => {
  expect(isDockerConfig('{"auths":{},"credsStore":"desktop"}')).toBe(true);
  expect(isDockerConfig('{"registries":{}}')).toBe(false);
});

test.each(['null', '[]', 'x', '{}', '{"auths":[]}'])('%s is no list of registries', (text) => {
  expect(registriesOf('.dockerconfigjson', text)).toBeUndefined();
});

test.each([
  [[0x30, 0x82, 1], 'DER data (certificate, key or PKCS #12 keystore)'],
  [[0xfe, 0xed, 0xfe, 0xed], 'Java keystore (JKS)'],
  [[0x1f, 0x8b], 'gzip data'],
  [[], 'unknown binary data'],
])('bytes beginning %j are taken for %s', (bytes, kind) => {
  expect(binaryKind(Uint8Array.from(bytes))).toBe(kind);
});

test('a .dockercfg has the registries without a name around them, and a form of its own', () => {
  const registries = [{ server: 'registry.example.com', username: 'u', password: 'p:q' }];
  const text = dockerConfig('.dockercfg', registries);
  expect(Object.keys(JSON.parse(text) as object)).toEqual(['registry.example.com']);
  expect(editableRegistries('.dockercfg', text)).toEqual(registries);
  expect(
    editableRegistries('.dockercfg', '{"a":{"username":"u","email":"lost@example.com"}}'),
  ).toBeUndefined();
});
