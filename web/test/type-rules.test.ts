import { expect, test } from 'vitest';
import { addRow, type Row } from '../src/editing/draft.ts';
import { indispensableKeys, privateKeyOf, typeNeed, typeWarning } from '../src/editing/secret-types.ts';

const rowsOf = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).reduce<readonly Row[]>((rows, [key, value]) => addRow(rows, { key, value }), []);

test.each([
  ['kubernetes.io/ssh-auth', { 'ssh-privatekey': '' }, 'ssh-privatekey'],
  ['platform.io/ssh-auth', {}, undefined],
  ['kubernetes.io/tls', { 'tls.crt': 'x' }, undefined],
  ['kubernetes.io/basic-auth', {}, undefined],
  ['kubernetes.io/dockerconfigjson', { '.dockerconfigjson': '[]' }, '.dockerconfigjson'],
  ['kubernetes.io/dockercfg', { '.dockercfg': '' }, '.dockercfg'],
  ['kubernetes.io/service-account-token', {}, undefined],
])('%s is not content with %j', (type, values, key) => {
  const need = typeNeed(type, rowsOf(values));
  expect(need).toBeDefined();
  expect(need?.key).toBe(key);
});

test.each([
  ['Opaque', {}],
  ['kubernetes.io/tls-acme', {}],
  ['kubernetes.io/tls', { 'tls.crt': '', 'tls.key': '' }],
  ['kubernetes.io/basic-auth', { password: '' }],
  ['kubernetes.io/dockerconfigjson', { '.dockerconfigjson': 'null' }],
  ['example.com/ssh-auth', {}],
])('%s is content with %j', (type, values) => {
  expect(typeNeed(type, rowsOf(values))).toBeUndefined();
});

test('only what a type cannot be without is kept', () => {
  const keep = (type: string, ...keys: readonly string[]) =>
    indispensableKeys(type, rowsOf(Object.fromEntries(keys.map((key) => [key, '']))));
  expect(keep('kubernetes.io/tls', 'tls.crt', 'tls.key', 'ca.crt')).toEqual(['tls.crt', 'tls.key']);
  expect(keep('kubernetes.io/basic-auth', 'username', 'password')).toEqual([]);
  expect(keep('kubernetes.io/basic-auth', 'password', 'x')).toEqual(['password']);
  expect(keep('Opaque', 'tls.crt')).toEqual([]);
});

test('an empty certificate is warned of, since the type allows it', () => {
  const warned = (type: string) =>
    rowsOf({ 'tls.crt': '', 'tls.key': 'x', 'ca.crt': '' }).map(
      (row) => typeWarning(type, row) !== undefined,
    );
  expect(warned('kubernetes.io/tls')).toEqual([true, false, false]);
  expect(warned('Opaque')).toEqual([false, false, false]);
});

test('the certificate of a TLS Secret goes with its key, that of an authority with none', () => {
  const rows = rowsOf({ 'tls.crt': 'c', 'tls.key': 'k', 'ca.crt': 'a' });
  expect(privateKeyOf('kubernetes.io/tls', 'tls.crt', rows)).toBe('k');
  expect(privateKeyOf('kubernetes.io/tls', 'tls.crt', rowsOf({ 'tls.crt': 'c' }))).toBe('');
  expect(privateKeyOf('kubernetes.io/tls', 'ca.crt', rows)).toBe('');
  expect(privateKeyOf('kubernetes.io/tls', 'tls.key', rows)).toBeUndefined();
  expect(privateKeyOf('Opaque', 'tls.crt', rows)).toBeUndefined();
});
