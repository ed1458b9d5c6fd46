import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyNamesOf, parseKeyRecord, recordOfKeys } from '../../../src/secrets/secret-view.ts';

const TEXT = Buffer.from('text');
const BINARY = Uint8Array.of(0, 1, 255);

describe('the record of the keys of a deleted Secret', () => {
  it('is read as it was written, whatever the names', () => {
    const name = fc.stringMatching(/^[A-Za-z0-9._-]{1,40}$/);
    const entry = fc.tuple(fc.oneof(name, fc.constantFrom('__proto__', 'constructor')), fc.boolean());
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 30 }), (entries) => {
        const data = new Map(entries.map(([key, isBinary]) => [key, isBinary ? BINARY : TEXT]));
        expect(parseKeyRecord(recordOfKeys(data))).toEqual(keyNamesOf(data));
      }),
    );
  });

  it('is left out when it takes too much space', () => {
    const keys = Array.from({ length: 1_900 }, (_, index) => String(index).padStart(246, 'k'));
    expect(recordOfKeys(new Map(keys.map((key) => [key, TEXT])))).toBeUndefined();
  });

  it.each([undefined, ',', 'a,', 'a,a', 'a,a=', 'a==', 'a b', '=', 'x'.repeat(40_000)])(
    'is absent for what the service does not write: %j',
    (record) => {
      expect(parseKeyRecord(record)).toBeUndefined();
    },
  );
});
