import { expect, test } from 'vitest';
import { makeCertificate } from '../../test/fakes/certificate.ts';
import { addRow, type Row } from '../src/editing/draft.ts';
import { placeFiles } from '../src/editing/placed-files.ts';
import type { FileValue } from '../src/values/value.ts';
import { rowsForType } from '../src/editing/secret-types.ts';

const TLS = 'kubernetes.io/tls';
const leaf = makeCertificate('leaf.example.com');
const ca = makeCertificate('ca.example.com');

const place = (type: string, files: Readonly<Record<string, string | FileValue>>, rows: readonly Row[]) => {
  const named = Object.entries(files).map(([name, value]) => ({ name, value }));
  const { entries, notes } = placeFiles(type, named, rows);
  return { notes, values: Object.fromEntries(entries.map(({ key, value }) => [key, value])) };
};
const empty = rowsForType(TLS, []);

test('files with the names of keys go to those keys, whatever is in them', () => {
  const files = { 'ca.crt': ca.cert, 'tls.key': leaf.key, 'tls.crt': leaf.cert };
  expect(place(TLS, files, empty).values).toEqual(files);
  expect(place(TLS, { 'ca.crt': ca.cert }, empty).values).toEqual({ 'ca.crt': ca.cert });
});

test('other names are placed by their content, the first certificate and the first key', () => {
  const files = { 'leaf.pem': leaf.cert, 'chain.pem': ca.cert, 'leaf-key.pem': leaf.key };
  const { values, notes } = place(TLS, files, empty);
  expect(values).toEqual({ 'tls.crt': leaf.cert, 'chain.pem': ca.cert, 'tls.key': leaf.key });
  expect(notes).toEqual(['leaf.pem: to tls.crt.', 'chain.pem: to chain.pem.', 'leaf-key.pem: to tls.key.']);
});

test('content never replaces a value, whether it was there before or came with an exact name', () => {
  const filled = addRow([], { key: 'tls.crt', value: 'typed' });
  expect(place(TLS, { 'other.pem': ca.cert }, filled).values).toEqual({ 'other.pem': ca.cert });
  const batch = { 'other.pem': ca.cert, 'tls.crt': leaf.cert };
  expect(place(TLS, batch, empty).values).toEqual(batch);
});

test('a combined PEM is split into its certificates and its key', () => {
  const combined = `${leaf.key.trim()}\nwords between\n${leaf.cert.trim()}\n${ca.cert.trim()}\n`;
  const { values, notes } = place(TLS, { 'all.pem': combined }, empty);
  expect(values).toEqual({
    'tls.crt': `${leaf.cert.trim()}\n${ca.cert.trim()}\n`,
    'tls.key': `${leaf.key.trim()}\n`,
  });
  expect(notes).toEqual(['all.pem: the certificates to tls.crt; the private key to tls.key.']);
});

test('what is replaced is said, and no value is', () => {
  const rows = addRow([], { key: 'tls.key', value: 'old' });
  expect(place(TLS, { 'tls.key': leaf.key }, rows).notes).toEqual([
    'tls.key: to tls.key, replacing its value.',
  ]);
  expect(place(TLS, { 'tls.key': 'old' }, rows).notes).toEqual([
    'tls.key: to tls.key, which had this value already.',
  ]);
});

test('the name of a file does not change the order of what is said of it', () => {
  const name = 'picture\u202egnp.p12';
  expect(place('Opaque', { [name]: 'x' }, []).notes).toEqual([
    `\u2068${name}\u2069: to \u2068${name}\u2069.`,
  ]);
});

test('a private key is what SSH authentication needs, and a file like any other elsewhere', () => {
  const ssh = 'kubernetes.io/ssh-auth';
  expect(place(ssh, { id_rsa: leaf.key }, rowsForType(ssh, [])).values).toEqual({
    'ssh-privatekey': leaf.key,
  });
  expect(place('Opaque', { id_rsa: leaf.key }, []).values).toEqual({ id_rsa: leaf.key });
});

test('a docker configuration goes to its key, and other JSON does not', () => {
  const docker = 'kubernetes.io/dockerconfigjson';
  const rows = rowsForType(docker, []);
  expect(place(docker, { 'config.json': '{"auths":{}}' }, rows).values).toEqual({
    '.dockerconfigjson': '{"auths":{}}',
  });
  expect(place(docker, { 'config.json': '{"a":1}' }, rows).values).toEqual({ 'config.json': '{"a":1}' });
});

const unread = () => Promise.reject(new Error());

test('a file that is no text is placed by its name alone', () => {
  const store = { fileName: 'store.p12', bytes: Uint8Array.of(0, 255) };
  expect(place(TLS, { 'store.p12': store }, empty).values).toEqual({ 'store.p12': store });
  const rows = addRow([], {
    key: 'store.p12',
    value: { id: '1/store.p12', isBinary: true, key: 'store.p12', read: unread, readAll: unread },
  });
  expect(place('Opaque', { 'store.p12': store }, rows).notes).toEqual([
    'store.p12: to store.p12, replacing its value.',
  ]);
});
