import { describe, expect, it } from 'vitest';
import { nextExpiries } from '../../../src/caches/cached-secret.ts';
import { EXPIRY_KINDS, type Expiries, type ExpiryKind } from '../../../src/lists/list-item.ts';

const secret = (name: string, expiries: Expiries | undefined) => ({ namespace: 'ns', name, expiries });
const certificate = (name: string, at: number) => ({ namespace: 'ns', name, kind: 'certificate', at });
const next = (
  secrets: readonly ReturnType<typeof secret>[],
  most: number,
  kinds: readonly ExpiryKind[] = ['certificate'],
) => nextExpiries(secrets, kinds, most);

describe('the certificates that expire first', () => {
  it('are ordered by expiry, without Secrets that have no certificate', () => {
    const secrets = [
      secret('late', { certificate: 300 }),
      secret('none', undefined),
      secret('declared', { declared: 1, rotation: 2 }),
      secret('early', { certificate: -5 }),
    ];
    expect(next(secrets, 10)).toEqual([certificate('early', -5), certificate('late', 300)]);
  });

  it('are never more than the limit, whatever their order', () => {
    const many = Array.from({ length: 1_000 }, (_, index) =>
      secret(`c${index}`, { certificate: (index * 617) % 1_000 }),
    );
    expect(next(many, 3).map(({ at }) => at)).toEqual([0, 1, 2]);
  });

  it('hold nothing but the place and the time', () => {
    const [first] = next([{ ...secret('a', { certificate: 1 }), json: 'large' } as never], 1);
    expect(first).toEqual(certificate('a', 1));
  });
});

describe('what expires first, of all kinds', () => {
  it('are all dates of the Secrets whose first date is the soonest', () => {
    const secrets = [
      secret('late', { declared: 400 }),
      secret('both', { certificate: 900, rotation: 100 }),
      secret('declared', { declared: 200 }),
      secret('malformed', { isMalformed: true }),
    ];
    expect(next(secrets, 2, EXPIRY_KINDS)).toEqual([
      { namespace: 'ns', name: 'both', kind: 'certificate', at: 900 },
      { namespace: 'ns', name: 'both', kind: 'rotation', at: 100 },
      { namespace: 'ns', name: 'declared', kind: 'declared', at: 200 },
    ]);
  });
});
