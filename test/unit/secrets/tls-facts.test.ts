import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  MAX_CHAIN,
  MAX_PEM_BYTES,
  TLS_WARNINGS,
  type TlsWarning,
} from '../../../src/contract/tls-warnings.ts';
import { warningsOf } from '../../../src/secrets/value-facts.ts';
import { makeCertificate } from '../../fakes/certificate.ts';

const DAY = 86_400;
const root = makeCertificate('root');
const issuer = makeCertificate('issuer', { issuer: root });
const web = makeCertificate('web', { issuer });
const alone = makeCertificate('alone');
const CHAIN = web.cert + issuer.cert;

function warnings(
  values: Readonly<Record<string, string | Uint8Array>>,
  type = 'kubernetes.io/tls',
): readonly TlsWarning[] {
  const data = new Map(Object.entries(values).map(([key, value]) => [key, Buffer.from(value)]));
  return warningsOf({ type, data }, new Date());
}

const withChain = (cert: string, ca = '') => warnings({ 'tls.crt': cert, 'tls.key': web.key, 'ca.crt': ca });
const withKey = (key: string | Uint8Array) => warnings({ 'tls.crt': CHAIN, 'tls.key': key });

describe('the warnings about a TLS Secret', () => {
  it('are none for a certificate, its issuer and its key', () => {
    expect(withChain(CHAIN)).toEqual([]);
    expect(withChain(CHAIN + root.cert)).toEqual([]);
    expect(warnings({ 'tls.crt': alone.cert, 'tls.key': alone.key })).toEqual([]);
  });

  it('are none for another type, whatever its keys hold', () => {
    const values = { 'tls.crt': 'nonsense', 'tls.key': 'nonsense' };
    expect(warnings(values, 'Opaque')).toEqual([]);
    expect(warnings(values, 'platform.io/tls')).toEqual(['certificateUnreadable', 'keyUnreadable']);
  });

  it.each([
    ['nothing', ''],
    ['nonsense', 'nonsense'],
    ['a key before the certificate', web.key + CHAIN],
    ['a certificate that is cut off', web.cert.slice(0, -30)],
    ['a certificate whose bytes are no certificate', web.cert.replace(/\nM/, '\nN')],
    ['a certificate beyond 64 KiB', '\n'.repeat(MAX_PEM_BYTES) + CHAIN],
  ])('say that tls.crt cannot be read: %s', (_what, cert) => {
    expect(withChain(cert)).toEqual(['certificateUnreadable']);
  });

  it('name an expired certificate, an expired issuer, and one that is not valid yet', () => {
    const expired = makeCertificate('old', { validFrom: -2 * DAY, validTo: -DAY });
    const early = makeCertificate('early', { validFrom: DAY, validTo: 2 * DAY });
    expect(warnings({ 'tls.crt': expired.cert, 'tls.key': expired.key })).toEqual(['expired']);
    expect(warnings({ 'tls.crt': early.cert, 'tls.key': early.key })).toEqual(['notYetValid']);
    const oldIssuer = makeCertificate('i', { issuer: root, validFrom: -2 * DAY, validTo: -DAY });
    const { cert, key } = makeCertificate('x', { issuer: oldIssuer });
    expect(warnings({ 'tls.crt': cert + oldIssuer.cert, 'tls.key': key })).toEqual(['issuerExpired']);
  });

  it('name a missing issuer, unless ca.crt has it', () => {
    expect(withChain(web.cert)).toEqual(['chainMissing']);
    expect(withChain(web.cert, root.cert)).toEqual(['chainMissing']);
    expect(withChain(web.cert, root.cert + issuer.cert)).toEqual([]);
  });

  it('name a chain in another order, and one with something unreadable in it', () => {
    expect(withChain(web.cert + root.cert + issuer.cert)).toEqual(['chainOrder']);
    expect(withChain(web.cert + issuer.cert.replace(/\nM/, '\nN'))).toEqual(['chainUnreadable']);
  });

  it('name the key of another certificate', () => {
    expect(withKey(alone.key)).toEqual(['keyMismatch']);
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    expect(withKey(privateKey.export({ type: 'pkcs1', format: 'pem' }))).toEqual(['keyMismatch']);
  });

  it.each(['pkcs8', 'sec1'] as const)('are none for the key in %s, with other blocks before it', (type) => {
    const { cert, key } = makeCertificate('a');
    const pem = (keyIn: string) => warnings({ 'tls.crt': cert, 'tls.key': keyIn });
    const parameters = '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n';
    expect(type === 'pkcs8' ? pem(key) : pem(parameters + cert + key)).toEqual([]);
  });

  it('name an encrypted key without trying to decrypt it', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const encryption = { cipher: 'aes-128-cbc', passphrase: 'planted-passphrase' };
    for (const type of ['pkcs8', 'sec1'] as const) {
      expect(withKey(privateKey.export({ type, format: 'pem', ...encryption }))).toEqual(['keyEncrypted']);
    }
  });

  it.each([
    ['nothing', ''],
    ['nonsense', 'nonsense'],
    ['the certificate again', CHAIN],
    ['bytes', Uint8Array.of(0, 255, 1)],
    ['a key that is cut off', web.key.slice(0, -20)],
    ['a key whose bytes are none', web.key.replace(/\nM/, '\nN')],
    ['a key beyond 64 KiB', '\n'.repeat(MAX_PEM_BYTES) + web.key],
  ])('say that tls.key cannot be read: %s', (_what, key) => {
    expect(withKey(key)).toEqual(['keyUnreadable']);
  });

  it('are about the first certificates of a chain only', () => {
    const chain = (issuers: number) => web.cert + issuer.cert + root.cert.repeat(issuers - 1);
    const broken = issuer.cert.replace(/\nM/, '\nN');
    expect(withChain(chain(MAX_CHAIN - 2) + broken)).toEqual(['chainUnreadable']);
    expect(withChain(chain(MAX_CHAIN - 1) + broken)).toEqual([]);
  });

  it('come at once, whatever is stored', () => {
    const begin = '-----BEGIN CERTIFICATE-----';
    const blocks = `${begin}\nMAA=\n-----END CERTIFICATE-----\n`.repeat(20_000);
    for (const text of [
      begin.repeat(40_000),
      blocks,
      '-'.repeat(1_000_000),
      `-----BEGIN ${'A'.repeat(1_000_000)}`,
    ]) {
      const values = { 'tls.crt': text, 'tls.key': text, 'ca.crt': text };
      expect(warnings(values)).toEqual(['certificateUnreadable', 'keyUnreadable']);
    }
  }, 5_000);

  it('have texts that fit a quoted header, without anything of the values', () => {
    for (const text of Object.values(TLS_WARNINGS)) expect(text).toMatch(/^[A-Za-z0-9 .():-]+$/);
  });
});
