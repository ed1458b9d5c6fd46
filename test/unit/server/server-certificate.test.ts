import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { CertificateError, readCertificate } from '../../../src/server/server-certificate.ts';
import { makeCertificate } from '../../fakes/certificate.ts';

const folder = mkdtempSync(join(tmpdir(), 'service-test-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const one = makeCertificate('one');
const two = makeCertificate('two');

function files(cert: string | Buffer | undefined, key: string | Buffer | undefined) {
  const place = mkdtempSync(join(folder, 'pair-'));
  const [certFile, keyFile] = [join(place, 'tls.crt'), join(place, 'tls.key')];
  if (cert !== undefined) writeFileSync(certFile, cert);
  if (key !== undefined) writeFileSync(keyFile, key);
  return { certFile, keyFile };
}

async function problemOf(pair: ReturnType<typeof files>): Promise<string> {
  try {
    await readCertificate(pair);
    return 'none';
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error;
    expect(error.cause).toBeUndefined();
    expect(error.message).toBe(new CertificateError(error.problem).message);
    return error.problem;
  }
}

const encrypted = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'phrase' },
});
const weak = generateKeyPairSync('rsa', { modulusLength: 512 });
const weakPair = {
  cert: makeCertificate('weak', { publicKey: weak.publicKey }).cert,
  key: weak.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
};

describe('a certificate and its key', () => {
  it('are read, with the time when the certificate expires', async () => {
    const { cert, key, notAfter } = await readCertificate(files(one.cert, one.key));
    expect([cert.toString(), key.toString()]).toEqual([one.cert, one.key]);
    expect(notAfter.getTime()).toBeGreaterThan(Date.now());
  });

  it('are read with a chain behind the certificate', async () => {
    expect(await problemOf(files(one.cert + two.cert, one.key))).toBe('none');
  });

  it.each([
    ['no certificate file', undefined, one.key, 'unreadable'],
    ['no key file', one.cert, undefined, 'unreadable'],
    ['an empty certificate', '', one.key, 'certificateMalformed'],
    ['a certificate cut short', one.cert.slice(0, 200), one.key, 'certificateMalformed'],
    ['an empty key', one.cert, '', 'keyMalformed'],
    ['a key cut short', one.cert, one.key.slice(0, 60), 'keyMalformed'],
    ['an encrypted key', one.cert, encrypted.privateKey, 'keyMalformed'],
    ['the key of another certificate', one.cert, two.key, 'pairMismatch'],
    ['a malformed chain', `${one.cert}${two.cert.slice(0, 200)}`, one.key, 'unusable'],
    ['a key that is too weak', weakPair.cert, weakPair.key, 'unusable'],
    ['a certificate over 1 MiB', Buffer.alloc(1_048_577, 'a'), one.key, 'tooLarge'],
  ])('are refused with %s', async (_what, cert, key, problem) => {
    expect(await problemOf(files(cert, key))).toBe(problem);
  });

  it('are refused where a folder is named', async () => {
    expect(await problemOf({ certFile: folder, keyFile: folder })).toBe('unreadable');
  });
});
