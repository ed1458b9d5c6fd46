import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sortInSlices } from '../../../src/timing/sort-in-slices.ts';
import { turnsDuring } from '../../harness/turns-during.ts';

const ascending = (one: number, other: number): number => one - other;
const numbers = (length: number, of: (index: number) => number) =>
  Array.from({ length }, (_, index) => of(index));

describe('sorting in slices', () => {
  it.each([
    ['none', []],
    ['one', [1]],
    ['random', numbers(20_000, (index) => (index * 7_919) % 20_011)],
    ['descending', numbers(9_000, (index) => -index)],
    ['nearly sorted', [...numbers(10_000, (index) => index), 5, 3, 4]],
    ['the length of whole chunks', numbers(3 * 2_048, (index) => index % 2_048)],
  ])('gives what sort gives: %s', async (_what, items) => {
    const before = [...items];
    expect(await sortInSlices(items, ascending)).toEqual([...items].sort(ascending));
    expect(items).toEqual(before);
  });

  it('gives what sort gives, of any items', async () => {
    const ints = fc.array(fc.integer({ min: 0, max: 50 }), { size: 'max', maxLength: 9_000 });
    await fc.assert(
      fc.asyncProperty(ints, async (items) => {
        expect(await sortInSlices(items, ascending)).toEqual([...items].sort(ascending));
      }),
      { numRuns: 20 },
    );
  });

  it('keeps the order of equal items', async () => {
    const items = numbers(10_000, (index) => index);
    expect(await sortInSlices(items, (one, other) => (one % 3) - (other % 3))).toEqual(
      [...items].sort((one, other) => (one % 3) - (other % 3)),
    );
  });

  it('compares sorted items about once each', async () => {
    let compared = 0;
    const items = numbers(50_000, (index) => index);
    await sortInSlices(items, (one, other) => {
      compared++;
      return one - other;
    });
    expect(compared).toBeLessThan(55_000);
  });

  it('lets others run in between', async () => {
    const sort = () =>
      sortInSlices(
        numbers(20_000, (index) => (index * 7_919) % 20_011),
        (one, other) => {
          const end = performance.now() + 0.001;
          while (performance.now() < end);
          return one - other;
        },
      );
    expect(await turnsDuring(sort)).toBeGreaterThan(5);
  });
});
