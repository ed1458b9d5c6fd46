import { beforeAll, describe, expect, it } from 'vitest';
import { certificateNotAfter } from '../../../src/secrets/value-facts.ts';
import { makeCertificate, type TestCertificate } from '../../fakes/certificate.ts';
import { pem } from '../../fakes/der.ts';

const DAY_MS = 86_400_000;
const TLS = 'kubernetes.io/tls';

const one: TestCertificate = makeCertificate('one');
let madeAtMs: number;
beforeAll(() => {
  madeAtMs = Date.now();
});

function notAfter(text: string | Uint8Array, { type = TLS, key = 'tls.crt' } = {}): string | undefined {
  return certificateNotAfter({ type, data: new Map([[key, Buffer.from(text)]]) });
}

describe('the expiry of a certificate', () => {
  it('is read from the first certificate of tls.crt, in RFC 3339 and whole seconds', () => {
    const expiry = notAfter(one.cert);
    expect(expiry).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(Math.abs(Date.parse(expiry ?? '') - (madeAtMs + DAY_MS))).toBeLessThan(600_000);
  });

  it('is none, each time, for a time that does not exist', () => {
    const der = Buffer.from(one.cert.replace(/-----[^-]+-----|\s/g, ''), 'base64');
    const utcTime = Buffer.of(0x17, 13);
    const expiry = der.indexOf(utcTime, der.indexOf(utcTime) + 2);
    der.write('300230000000Z', expiry + 2, 'latin1');
    for (let reading = 0; reading < 1_000; reading++) {
      expect(notAfter(pem('CERTIFICATE', der))).toBeUndefined();
    }
  });

  it('is that of the server, whatever chain follows', () => {
    expect(notAfter(`${one.cert}${makeCertificate('two').cert}nonsense`)).toBe(notAfter(one.cert));
  });

  it('is found behind text, as openssl writes it before a certificate', () => {
    expect(notAfter(`Bag Attributes\n  friendlyName: web\n${one.cert}`)).toBe(notAfter(one.cert));
  });

  it('is known under both spellings of the type, and of no other', () => {
    expect(notAfter(one.cert, { type: 'platform.io/tls' })).toBe(notAfter(one.cert));
    for (const type of ['Opaque', 'kubernetes.io/tls2', 'tls', 'example.com/tls']) {
      expect(notAfter(one.cert, { type })).toBeUndefined();
    }
  });

  it.each([
    ['nothing', ''],
    ['nonsense', 'planted-4711'],
    ['a key before the certificate', `${one.key}${one.cert}`],
    ['a certificate that is cut off', one.cert.slice(0, -40)],
    ['a certificate whose bytes are no certificate', one.cert.replace(/\nM/, '\nN')],
    ['an empty block', '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n'],
    ['DER, which servers do not read', Buffer.from(one.cert.replaceAll(/-----.*-----|\n/g, ''), 'base64')],
    ['bytes', Uint8Array.of(0, 255, 1)],
  ])('is not given for %s', (_what, stored) => {
    expect(notAfter(stored)).toBeUndefined();
  });

  it('is not given without tls.crt', () => {
    expect(notAfter(one.cert, { key: 'ca.crt' })).toBeUndefined();
  });

  it('is not looked for beyond 64 KiB', () => {
    const padding = (length: number) => '\n'.repeat(length - one.cert.trimEnd().length);
    expect(notAfter(`${padding(65_536)}${one.cert}`)).toBe(notAfter(one.cert));
    expect(notAfter(`${padding(65_537)}${one.cert}`)).toBeUndefined();
  });
});
