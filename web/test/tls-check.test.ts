import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { MAX_PEM_BYTES, TLS_WARNINGS } from '../../src/contract/tls-warnings.ts';
import { warningsOf } from '../../src/secrets/value-facts.ts';
import { makeCertificate } from '../../test/fakes/certificate.ts';
import { dsaKey, rsaKey } from '../../test/fakes/expensive-keys.ts';
import { certificateBlocks, keyState, tlsTexts } from '../src/values/tls-check.ts';

const DAY = 86_400;
const root = makeCertificate('root');
const issuer = makeCertificate('issuer', { issuer: root });
const web = makeCertificate('web', { issuer });
const old = makeCertificate('old', { validFrom: -2 * DAY, validTo: -DAY });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
const ec = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey;
const encryption = { cipher: 'aes-128-cbc', passphrase: 'p' };
const CHAIN = web.cert + issuer.cert;

const values = (crt: string, key: string, ca = '') =>
  new Map([
    ['tls.crt', crt],
    ['tls.key', key],
    ['ca.crt', ca],
  ]);

test.each([
  ['a good one', values(CHAIN, web.key)],
  ['an issuer in ca.crt', values(web.cert, web.key, issuer.cert)],
  ['no issuer', values(web.cert, web.key)],
  ['a chain in another order', values(web.cert + root.cert + issuer.cert, web.key)],
  ['an expired certificate', values(old.cert, old.key)],
  ['nonsense', values('nonsense', 'nonsense')],
  ['a chain that is cut off', values(web.cert + issuer.cert.replace(/\nM/, '\nN'), web.key)],
  ['a certificate beyond 64 KiB', values('\n'.repeat(MAX_PEM_BYTES) + CHAIN, web.key)],
  ['the key of another certificate', values(CHAIN, root.key)],
  ['a key of another curve, in SEC 1', values(CHAIN, String(ec.export({ type: 'sec1', format: 'pem' })))],
  ['an RSA key', values(CHAIN, String(rsa.export({ type: 'pkcs8', format: 'pem' })))],
  ['an RSA key in PKCS #1', values(CHAIN, String(rsa.export({ type: 'pkcs1', format: 'pem' })))],
  ['an encrypted key', values(CHAIN, String(ec.export({ type: 'pkcs8', format: 'pem', ...encryption })))],
  [
    'an encrypted key in SEC 1',
    values(CHAIN, String(ec.export({ type: 'sec1', format: 'pem', ...encryption }))),
  ],
  ['a DSA key', values(CHAIN, dsaKey(4_096))],
  ['an RSA key of too many bits', values(CHAIN, rsaKey(16_385))],
  ['an RSA key of the most bits', values(CHAIN, rsaKey(16_384))],
  ['a key whose bytes are none', values(CHAIN, web.key.replace(/\nM/, '\nN'))],
])('the form warns of what the service will warn of: %s', (_what, given) => {
  const data = new Map([...given].map(([key, value]) => [key, Buffer.from(value)]));
  const now = new Date();
  const expected = warningsOf({ type: 'kubernetes.io/tls', data }, now).map(
    (warning) => TLS_WARNINGS[warning],
  );
  expect(tlsTexts(given, now.getTime())).toEqual(expected);
});

test('an RSA key of its certificate fits, in both forms', () => {
  const pair = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const rsaWeb = makeCertificate('rsa', { issuer: root, publicKey: pair.publicKey });
  for (const type of ['pkcs1', 'pkcs8'] as const) {
    const key = String(pair.privateKey.export({ type, format: 'pem' }));
    expect(tlsTexts(values(rsaWeb.cert + root.cert, key), Date.now())).toEqual([]);
  }
});

test('a kind of key that only the service can compare is no reason for a warning', () => {
  const pair = generateKeyPairSync('ed25519');
  const { cert } = makeCertificate('ed', { issuer: root, publicKey: pair.publicKey });
  const key = String(pair.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  expect(tlsTexts(values(cert + root.cert, key), Date.now())).toEqual([]);
});

test('any text is checked at once', () => {
  const begin = '-----BEGIN CERTIFICATE-----';
  for (const text of [begin.repeat(40_000), `${begin}\nMAA=\n-----END CERTIFICATE-----\n`.repeat(20_000)]) {
    expect(tlsTexts(values(text, text, text), 0)).toContain(TLS_WARNINGS.certificateUnreadable);
  }
});

const ed = generateKeyPairSync('ed25519');
const edWeb = makeCertificate('ed', { issuer: root, publicKey: ed.publicKey });

test.each([
  ['its key', web.key, CHAIN, 'matches'],
  ['another key', root.key, CHAIN, 'differs'],
  ['the key of an issuer in the chain', issuer.key, CHAIN, 'differs'],
  ['a key of another kind', String(rsa.export({ type: 'pkcs8', format: 'pem' })), CHAIN, 'differs'],
  [
    'a key without its public half',
    String(ed.privateKey.export({ type: 'pkcs8', format: 'pem' })),
    edWeb.cert,
    'unknown',
  ],
  [
    'an encrypted key',
    String(ec.export({ type: 'pkcs8', format: 'pem', ...encryption })),
    CHAIN,
    'encrypted',
  ],
  ['a key that is expensive to read', rsaKey(16_385), CHAIN, 'unreadable'],
  ['nonsense', 'nonsense', CHAIN, 'unreadable'],
  ['a key without a readable certificate', web.key, 'nonsense', 'unknown'],
])('a certificate and %s', (_what, key, certificates, state) => {
  expect(keyState(key, certificates)).toBe(state);
});

test('the certificates at the beginning are counted, readable or not, in a bundle of any size', () => {
  expect(certificateBlocks('')).toEqual([]);
  expect(certificateBlocks(`# comment\n${CHAIN}`)).toHaveLength(2);
  expect(certificateBlocks(CHAIN + web.key + root.cert)).toHaveLength(2);
  expect(certificateBlocks(web.key + CHAIN)).toEqual([]);
  expect(certificateBlocks(CHAIN.slice(0, -10))).toHaveLength(1);
  expect(certificateBlocks(root.cert.repeat(1_000))).toHaveLength(1_000);
  expect(certificateBlocks('-----BEGIN CERTIFICATE-----'.repeat(40_000))).toEqual([]);
});
