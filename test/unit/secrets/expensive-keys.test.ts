import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MAX_CHAIN, MAX_PEM_BYTES } from '../../../src/contract/tls-warnings.ts';
import { readableEncoding } from '../../../src/contract/private-key.ts';
import { bytesOfBlock, pemBlocks } from '../../../src/contract/pem.ts';
import { warningsOf, certificateNotAfter } from '../../../src/secrets/value-facts.ts';
import { makeCertificate } from '../../fakes/certificate.ts';
import { expensiveCertificates, expensiveKeys, rsaKey } from '../../fakes/expensive-keys.ts';
import { quietMsOf } from '../../harness/machine-slowness.ts';

/** The longest turn of the event loop. */
const TURN_MS = 50;
const { cert, key } = makeCertificate('web');

function warnings(crt: string, tlsKey: string, ca = '') {
  const data = new Map(
    Object.entries({ 'tls.crt': crt, 'tls.key': tlsKey, 'ca.crt': ca }).map(([name, value]) => [
      name,
      Buffer.from(value),
    ]),
  );
  return warningsOf({ type: 'kubernetes.io/tls', data }, new Date());
}

function encodingOf(pem: string) {
  const block = pemBlocks(pem).next().value;
  return block && readableEncoding(block.label, bytesOfBlock(block));
}

describe('a key whose inspection would be expensive', () => {
  it.each(expensiveKeys().map(({ what, pem }) => [what, pem]))('is unreadable at once: %s', (_what, pem) => {
    let found: readonly string[] = [];
    expect(
      quietMsOf(() => {
        found = warnings(cert, pem);
      }),
    ).toBeLessThan(TURN_MS);
    expect(found).toEqual(['keyUnreadable']);
  });

  it('is compared up to RSA of 16,384 bits', () => {
    const pem = rsaKey(16_384);
    expect(quietMsOf(() => warnings(cert, pem))).toBeLessThan(TURN_MS);
    expect(encodingOf(pem)).toBe('pkcs1');
    expect(warnings(cert, pem)).toEqual(['keyMismatch']);
  });

  it.each(['P-224', 'P-256', 'P-384', 'P-521', 'secp256k1', 'brainpoolP256r1'])(
    'is none on the curve %s',
    (namedCurve) => {
      const pair = generateKeyPairSync('ec', { namedCurve });
      const own = makeCertificate('curve', { publicKey: pair.publicKey });
      for (const type of ['pkcs8', 'sec1'] as const) {
        const pem = String(pair.privateKey.export({ type, format: 'pem' }));
        expect(encodingOf(pem)).toBe(type);
        // The test's certificate names itself as its issuer.
        expect(warnings(own.cert, pem)).toEqual([]);
      }
    },
  );

  it.each(['ed25519', 'ed448'] as const)('is none of the kind %s', (kind) => {
    const pair = kind === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ed448');
    const own = makeCertificate('edwards', { publicKey: pair.publicKey });
    expect(warnings(own.cert, String(pair.privateKey.export({ type: 'pkcs8', format: 'pem' })))).toEqual([]);
    expect(warnings(own.cert, key)).toEqual(['keyMismatch']);
  });

  it('is none of RSA, in each encoding', () => {
    for (const pair of [
      generateKeyPairSync('rsa', { modulusLength: 2_048 }),
      generateKeyPairSync('rsa-pss', { modulusLength: 2_048 }),
    ]) {
      const own = makeCertificate('rsa', { publicKey: pair.publicKey });
      const types = pair.privateKey.asymmetricKeyType === 'rsa' ? (['pkcs1', 'pkcs8'] as const) : ['pkcs8'];
      for (const type of types) {
        const pem = String(pair.privateKey.export({ type: type as 'pkcs8', format: 'pem' }));
        expect(warnings(own.cert, pem)).toEqual([]);
      }
    }
  });

  it('is unreadable in a form that agrees with another label', () => {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = String(pair.privateKey.export({ type: 'pkcs8', format: 'pem' }));
    expect(encodingOf(pem.replaceAll('PRIVATE', 'EC PRIVATE'))).toBeUndefined();
    expect(encodingOf(pem.replaceAll('PRIVATE', 'RSA PRIVATE'))).toBeUndefined();
  });
});

describe('a certificate of almost 64 KiB', () => {
  it.each(expensiveCertificates().map(({ what, pem }) => [what, pem]))(
    'is read within one turn, with everything about it: %s',
    (_what, pem) => {
      expect(pem.length).toBeLessThan(MAX_PEM_BYTES);
      expect(quietMsOf(() => warnings(pem, key, pem))).toBeLessThan(TURN_MS);
      const stored = { type: 'kubernetes.io/tls', data: new Map([['tls.crt', Buffer.from(pem)]]) };
      expect(quietMsOf(() => certificateNotAfter(stored))).toBeLessThan(TURN_MS);
      expect(certificateNotAfter(stored)).toBe('2045-01-01T00:00:00Z');
    },
  );

  it('costs no more as a chain of many', () => {
    const chain = makeCertificate('x'.repeat(2_000)).cert.repeat(MAX_CHAIN);
    expect(quietMsOf(() => warnings(chain, key, chain))).toBeLessThan(TURN_MS);
  });
});
