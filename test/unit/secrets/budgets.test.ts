import { describe, expect, it } from 'vitest';
import type { SecretData } from '../../../src/kube/secret.ts';
import { encodeWithinBudget, requireStorable } from '../../../src/secrets/write-checks.ts';

const NONE = new Map<string, never>();
const tooLarge = (reason: string) => expect.objectContaining({ code: 'tooLarge', reason }) as Error;

describe('the budget of values', () => {
  const MIB = 1_048_576;
  const text = (bytes: number, character = 'x') => character.repeat(bytes / Buffer.byteLength(character));

  it('allows exactly 1 MiB in all, in UTF-8, keys not counted', () => {
    const texts = new Map([
      ['a'.repeat(253), text(MIB - 2)],
      ['b'.repeat(253), 'é'],
      ['c'.repeat(253), ''],
    ]);
    const data = encodeWithinBudget(texts);
    expect([...data.keys()]).toEqual([...texts.keys()]);
    expect([...data.values()].map((value) => Buffer.from(value).toString())).toEqual([...texts.values()]);
  });

  it.each([
    ['one value', [text(MIB + 1)]],
    ['many', [text(MIB / 2), text(MIB / 2 + 1)]],
    ['fewer characters than bytes', [text(MIB, 'é'), 'x']],
    ['far more, which is not encoded', [text(16 * MIB)]],
  ])('does not allow one byte more: %s', (_what, values) => {
    const texts = new Map(values.map((value, index) => [String(index), value]));
    expect(() => encodeWithinBudget(texts)).toThrow(tooLarge('dataBudget'));
  });

  it('allows nothing at all', () => {
    expect(encodeWithinBudget(new Map()).size).toBe(0);
  });
});

describe('the budget of what is stored', () => {
  const requireStored = (data: SecretData, annotations: ReadonlyMap<string, string>) => {
    requireStorable({ namespace: 'team-a', name: 'db', type: 'Opaque', data, annotations });
  };
  const keys = (count: number) =>
    Array.from({ length: count }, (_item, index) => `${index}`.padEnd(253, 'k'));
  const dataOf = (count: number, bytes: number) =>
    new Map([...keys(count).map((key) => [key, new Uint8Array(0)] as const), ['a', new Uint8Array(bytes)]]);

  it('holds all values and all annotations that may be, with some hundred keys', () => {
    expect(() => {
      requireStored(dataOf(300, 1_048_576), new Map([['a', 'x'.repeat(262_143)]]));
    }).not.toThrow();
  });

  it('counts keys twice: as many as etcd would refuse are refused', () => {
    for (const [count, bytes] of [
      [3_000, 0],
      [900, 1_048_576],
    ] as const) {
      expect(() => {
        requireStored(dataOf(count, bytes), new Map());
      }).toThrow(tooLarge('storedBudget'));
    }
    expect(() => {
      requireStored(dataOf(2_800, 0), new Map());
    }).not.toThrow();
  });
});

describe('the budget of annotations', () => {
  const requireAnnotations = (annotations: ReadonlyMap<string, string>) => {
    requireStorable({ namespace: 'team-a', name: 'db', type: 'Opaque', data: NONE, annotations });
  };
  const LIMIT = 262_144;

  it('counts keys and values in bytes of UTF-8, up to exactly 256 KiB', () => {
    const exactly = new Map([
      ['a', 'x'.repeat(LIMIT - 1 - 3)],
      ['é', 'y'],
    ]);
    expect(() => {
      requireAnnotations(exactly);
    }).not.toThrow();
    expect(() => {
      requireAnnotations(new Map([...exactly, ['é', 'yy']]));
    }).toThrow(tooLarge('annotationBudget'));
    expect(() => {
      requireAnnotations(new Map([['a', '€'.repeat(87_382)]]));
    }).toThrow(tooLarge('annotationBudget'));
  });
});

describe('the budget of a type', () => {
  const requireType = (type: string) => {
    requireStorable({ namespace: 'team-a', name: 'db', type, data: NONE, annotations: NONE });
  };

  it('takes types as long as a snapshot can record', () => {
    expect(() => {
      requireType('t'.repeat(245_760));
    }).not.toThrow();
  });

  it('refuses a byte more, measured in UTF-8, so that no Secret is made that could never be updated', () => {
    expect(() => {
      requireType(`${'t'.repeat(245_759)}é`);
    }).toThrow('type must be at most 245,760 bytes');
  });
});
