import { describe, expect, it } from 'vitest';
import { valueExpiresAt } from '../../../src/secrets/value-facts.ts';
import { makeCertificate } from '../../fakes/certificate.ts';
import { expensiveCertificates } from '../../fakes/expensive-keys.ts';
import { quietMsOf } from '../../harness/machine-slowness.ts';

/** The longest turn of the event loop. */
const TURN_MS = 50;
const MEBIBYTE = 1_048_576;

const encoded = (text: string): string => Buffer.from(text).toString('base64url');
const HEADER = encoded('{"alg":"RS256"}');
const token = (claims: string): string => `${HEADER}.${encoded(claims)}.c2ln`;
const expiryOf = (values: readonly string[], type = 'Opaque') =>
  valueExpiresAt({ type, data: new Map(values.map((value, index) => [`k${index}`, Buffer.from(value)])) });

describe('the expiry of values', () => {
  const good = token('{"exp":1893456000}');
  const { cert } = makeCertificate('web');

  it('is that of a certificate and of a token, whichever ends first', () => {
    const ofCertificate = expiryOf([cert]) ?? '';
    expect(Date.parse(ofCertificate)).toBeLessThan(Date.parse('2030-01-01T00:00:00Z'));
    expect(expiryOf([good])).toBe('2030-01-01T00:00:00Z');
    expect(expiryOf([good, cert])).toBe(ofCertificate);
  });

  it('is known under both spellings of a TLS type without its tls.crt', () => {
    const data = new Map([['tls.crt', Buffer.from(cert)]]);
    for (const type of ['kubernetes.io/tls', 'platform.io/tls'])
      expect(valueExpiresAt({ type, data })).toBeUndefined();
    expect(valueExpiresAt({ type: 'Opaque', data })).toBe(expiryOf([cert]));
  });

  it.each([
    ['a megabyte of certificates', [cert.repeat(MEBIBYTE / cert.length)]],
    ['a megabyte that begins like a certificate', [`-----BEGIN CERTIFICATE-----${'A'.repeat(MEBIBYTE)}`]],
    ['a megabyte of beginnings', ['-----BEGIN CERTIFICATE-----'.repeat(MEBIBYTE / 27)]],
    ['a megabyte of empty blocks', ['-----BEGIN CERTIFICATE----------END CERTIFICATE-----'.repeat(20_000)]],
    ['a megabyte that begins like a token', [`eyJ${'.'.repeat(MEBIBYTE)}`]],
    ['1,000 tokens', Array.from({ length: 1_000 }, () => good)],
    ['1,000 keys with eyJ', Array.from({ length: 1_000 }, () => 'eyJ.eyJ.eyJ')],
    ['many tokens of brackets', Array.from({ length: 16 }, () => token('['.repeat(48_000)))],
    ['many tokens of names', Array.from({ length: 16 }, () => token(`{${'"":0,'.repeat(9_000)}"exp":1}`))],
  ])('costs less than a turn of the event loop: %s', (_what, values) => {
    expect(quietMsOf(() => expiryOf(values))).toBeLessThan(TURN_MS);
  });

  it.each(expensiveCertificates().map(({ what, pem }) => [what, pem]))(
    'costs no more for a certificate of almost 64 KiB: %s',
    (_what, pem) => {
      const values = Array.from({ length: 16 }, () => pem);
      expect(quietMsOf(() => expiryOf(values))).toBeLessThan(TURN_MS);
      expect(expiryOf(values)).toBe('2045-01-01T00:00:00Z');
    },
  );

  it('does not read values that are shorter than what they could begin with: a Secret may have 50,000', () => {
    class Short extends Uint8Array {
      override subarray(): never {
        throw new Error('the value is read');
      }
    }
    expect(valueExpiresAt({ type: 'Opaque', data: new Map([['k', new Short(2)]]) })).toBeUndefined();
  });

  it('reads 64 KiB of all values together', () => {
    const fills = token(JSON.stringify({ exp: 1_893_456_000, fill: 'x'.repeat(20_000) }));
    const soon = token('{"exp":1767225600}');
    expect(expiryOf([fills, fills, soon])).toBe('2026-01-01T00:00:00Z');
    expect(expiryOf([fills, fills, fills, soon])).toBe('2030-01-01T00:00:00Z');
  });
});
