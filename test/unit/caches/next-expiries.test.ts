import { describe, expect, it } from 'vitest';
import { nextCertificates } from '../../../src/caches/cached-secret.ts';

const certificate = (name: string, notAfter: number | undefined) => ({ namespace: 'ns', name, notAfter });

describe('the certificates that expire first', () => {
  it('are ordered by expiry, without Secrets that have no certificate', () => {
    const secrets = [certificate('late', 300), certificate('none', undefined), certificate('early', -5)];
    expect(nextCertificates(secrets, 10)).toEqual([certificate('early', -5), certificate('late', 300)]);
  });

  it('are never more than the limit, whatever their order', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => certificate(`c${index}`, (index * 617) % 1_000));
    expect(nextCertificates(many, 3).map(({ notAfter }) => notAfter)).toEqual([0, 1, 2]);
  });

  it('hold nothing but the place and the time', () => {
    const [first] = nextCertificates([{ ...certificate('a', 1), json: 'large' } as never], 1);
    expect(first).toEqual(certificate('a', 1));
  });
});
