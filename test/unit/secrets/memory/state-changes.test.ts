import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newestItem, newestRevision } from '../../../../src/secrets/list-item.ts';
import { changesBetween, newestAfter } from '../../../../src/secrets/memory/state-changes.ts';
import { itemOf } from './items.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];
const POOL = NAMES.flatMap((name) =>
  ['7', '9', '10', '12'].map((resourceVersion) => itemOf(name, { resourceVersion })),
);

const states = fc
  .uniqueArray(fc.constantFrom(...POOL), { selector: ({ name }) => name })
  .map((items) => items.sort((one, other) => (one.name < other.name ? -1 : 1)));

describe('the changes between two states', () => {
  it('are the objects that only one of them has, and give the newest revision', () =>
    fc.assert(
      fc.asyncProperty(states, states, async (former, items) => {
        const changes = await changesBetween(former, items);
        expect(changes).toEqual({
          removed: former.filter((item) => !items.includes(item)),
          added: items.filter((item) => !former.includes(item)),
        });
        const newest = newestAfter(items, newestItem(former), changes);
        expect(newest?.resourceVersion).toBe(newestRevision(items));
      }),
    ));
});
