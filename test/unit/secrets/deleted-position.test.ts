import { describe, expect, it } from 'vitest';
import { openPosition, sealPosition, type FinalPosition } from '../../../src/secrets/deleted-secrets.ts';
import { createSeal } from '../../../src/secrets/seal.ts';
import { actor } from '../access/users.ts';

const seal = createSeal(new Uint8Array(32));
const sealed = (position: FinalPosition) => sealPosition(seal, position, actor(), 'team-a');

describe('the token of a page of deleted Secrets', () => {
  it('has the same length, whatever is at its position', () => {
    const positions = [
      { at: 0, uid: 'u' },
      { at: -8_640_000_000_000_000, uid: 'u'.repeat(63) },
      { at: Date.UTC(2026), uid: '01234567-89ab-cdef-0123-456789abcdef' },
    ];
    expect(new Set(positions.map((position) => sealed(position).length)).size).toBe(1);
    for (const position of positions)
      expect(openPosition(seal, sealed(position), actor(), 'team-a')).toEqual(position);
  });
});
