import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COLLECTION_LIMITS } from '../../../src/kube/collect.ts';
import { readPages } from '../../../src/kube/read-pages.ts';
import type { PageRequest } from '../../../src/kube/page.ts';
import { ServiceError } from '../../../src/errors/service-error.ts';

const MIB = 1_048_576;

/** A cluster that lists objects of these sizes, as the real one does: no answer is cut to the bytes that are wanted. */
function listing(objects: readonly number[]) {
  const requests: PageRequest[] = [];
  const pages: number[] = [];
  const listPage = (request: PageRequest) => {
    requests.push(request);
    const from = Number(request.continueToken ?? 0);
    const items = objects.slice(from, from + request.limit);
    const bytes = items.reduce((total, size) => total + size, 0);
    if (bytes > request.maxBytes) {
      return Promise.reject(new ServiceError('responseTooLarge', 'too large'));
    }
    pages.push(bytes);
    const next = from + request.limit;
    const continueToken = next < objects.length ? String(next) : undefined;
    return Promise.resolve({ items, resourceVersion: '9', continueToken, bytes });
  };
  return { requests, pages, listPage };
}

async function read(objects: readonly number[]) {
  const { requests, pages, listPage } = listing(objects);
  const taken: number[] = [];
  const take = (size: number) => void taken.push(size);
  await readPages({ subject: 'things', budget: COLLECTION_LIMITS, listPage, take });
  expect(taken).toEqual(objects);
  return { requests, pages, largest: Math.max(...pages) };
}

const many = (count: number, size: number) => Array<number>(count).fill(size);

describe('the pages of a list', () => {
  it.each([
    ['5,000 of 6 KB', many(5_000, 6_500)],
    ['2,000 of 16 KB', many(2_000, 16_000)],
    ['300 of 100 KB', many(300, 110_000)],
    ['31 of a mebibyte', many(31, MIB)],
    ['22 of the largest that etcd stores', many(22, 1_500_000)],
    ['small ones and 30 large ones after them', [...many(4_900, 300), ...many(30, MIB)]],
    ['30 large ones and small ones after them', [...many(30, MIB), ...many(4_900, 300)]],
  ])('%s are about a mebibyte each', async (_what, objects) => {
    const { requests, pages, largest } = await read(objects);
    expect(largest).toBeLessThanOrEqual(2 * MIB);
    expect(pages.length).toBeLessThanOrEqual(50);
    expect(requests.length - pages.length).toBeLessThanOrEqual(40); // requested again, smaller
  });

  it('of small objects are few', async () => {
    expect((await read(many(501, 200))).requests).toHaveLength(2);
    expect((await read(many(5_000, 1_000))).requests).toHaveLength(10);
  });

  it('grow again after large objects', async () => {
    const { requests } = await read([...many(3, 1_400_000), ...many(4_000, 100)]);
    expect(requests.length).toBeLessThan(25);
    expect(requests.at(-1)?.limit).toBe(500);
  });

  it('suffice for every list within 5,000 objects and 32 MiB, whatever the mix and the order', async () => {
    const size = fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 100, max: 2_000 }) },
      { weight: 2, arbitrary: fc.integer({ min: 2_000, max: 100_000 }) },
      { weight: 1, arbitrary: fc.integer({ min: 500_000, max: 1_500_000 }) },
    );
    const run = fc.tuple(size, fc.integer({ min: 1, max: 400 }));
    await fc.assert(
      fc.asyncProperty(fc.array(run, { maxLength: 200 }), async (runs) => {
        const objects: number[] = [];
        let bytes = 0;
        for (const [each, count] of runs) {
          for (let index = 0; index < count; index++) {
            if (objects.length === COLLECTION_LIMITS.objects || bytes + each > COLLECTION_LIMITS.bytes) break;
            objects.push(each);
            bytes += each;
          }
        }
        const { pages } = await read(objects);
        expect(pages.length).toBeLessThanOrEqual(COLLECTION_LIMITS.pages);
      }),
      { numRuns: 300 },
    );
  });

  it('suffice for the order that wastes most of them: each large object after a run of small ones', async () => {
    for (const gap of [1, 7, 8, 33, 61, 62, 63, 100, 125, 150, 160]) {
      const objects: number[] = [];
      while (objects.length + gap < COLLECTION_LIMITS.objects) objects.push(...many(gap, 100), 1_040_000);
      const within = objects.filter(
        (size, index) => size === 100 || index < 31 * (gap + 1), // 31 of the large ones are within 32 MiB
      );
      const { pages } = await read(within.slice(0, COLLECTION_LIMITS.objects));
      expect(pages.length, `gap ${gap}`).toBeLessThanOrEqual(COLLECTION_LIMITS.pages);
    }
  });
});
