import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { snapshotName } from '../../../../src/history/snapshot/snapshot.ts';
import { isSecretName } from '../../../../src/contract/names.ts';

const UID = '0b5c2f3e-9a5e-4f0e-8e0e-2f1f7a9d8c11';
const DIGEST = createHash('sha256').update(UID).digest('hex').slice(0, 16);

const label = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,60}[a-z0-9])?$/);
const liveName = fc
  .array(label, { minLength: 1, maxLength: 8 })
  .map((labels) => labels.join('.'))
  .filter((name) => name.length <= 253);

describe('the name of a snapshot', () => {
  it('is the live name, the version, and 16 hex digits of SHA-256 of the live UID', () => {
    expect(snapshotName('db', 7, UID)).toBe(`db.v7.${DIGEST}`);
    expect(snapshotName('a.b-c.d', 12, UID)).toBe(`a.b-c.d.v12.${DIGEST}`);
  });

  it('is the same for the same UID and version, and another for another', () => {
    const all = [
      snapshotName('db', 1, UID),
      snapshotName('db', 2, UID),
      snapshotName('db', 1, UID.replace('0', '1')),
    ];
    expect(new Set(all).size).toBe(3);
    expect(snapshotName('db', 1, UID)).toBe(all[0]);
  });

  it('is cut to 253 characters, and not a character more than needed', () => {
    const suffix = `.v1.${DIGEST}`;
    const fits = 'a'.repeat(253 - suffix.length);
    expect(snapshotName(fits, 1, UID)).toBe(`${fits}${suffix}`);
    expect(snapshotName(`${fits}b`, 1, UID)).toBe(`${fits}${suffix}`);
    expect(snapshotName('a'.repeat(253), 1, UID)).toHaveLength(253);
    expect(snapshotName('a'.repeat(253), Number.MAX_SAFE_INTEGER, UID)).toHaveLength(253);
  });

  it.each([
    ['a dot', '.'],
    ['a hyphen', '-'],
    ['several hyphens', '---'],
  ])('does not end its stem in %s that the cut leaves', (_what, end) => {
    const space = 253 - `.v1.${DIGEST}`.length;
    const name = `${'a'.repeat(space - end.length)}${end}bcd`;
    expect(snapshotName(name, 1, UID)).toBe(`${'a'.repeat(space - end.length)}.v1.${DIGEST}`);
  });

  it('is a DNS subdomain of at most 253 characters for every live name', () => {
    fc.assert(
      fc.property(
        liveName,
        fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
        fc.uuid(),
        (name, version, uid) => {
          const made = snapshotName(name, version, uid);
          expect(isSecretName(made)).toBe(true);
          expect(made).toBe(snapshotName(name, version, uid));
          expect(
            made.endsWith(`.v${version}.${createHash('sha256').update(uid).digest('hex').slice(0, 16)}`),
          ).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('differs between versions of the longest name', () => {
    const longest = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`;
    expect(longest).toHaveLength(253);
    const made = [1, 2, 9, 10, 11, 99, 100].map((version) => snapshotName(longest, version, UID));
    expect(new Set(made).size).toBe(made.length);
  });
});
