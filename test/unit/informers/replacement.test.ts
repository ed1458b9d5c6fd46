import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changesOf, createObjectStore } from '../../../src/informers/object-store.ts';
import { PlainTable } from '../../../src/informers/object-table.ts';
import { thing, type Thing } from './scripted-source.ts';

const storeOf = (things: Iterable<Thing>) => {
  const store = createObjectStore<Thing, Thing, PlainTable<Thing>>({
    project: (item) => item,
    createTable: () => new PlainTable<Thing>(),
  });
  for (const one of things) store.put(one);
  return store;
};

const object = fc
  .record({
    name: fc.constantFrom('a', 'b', 'c', 'd'),
    uid: fc.constantFrom('1', '2'),
    revision: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ name, uid, revision }) => thing(name, revision, { uid, text: `${name} ${uid} ${revision}` }));
const step = fc.record({
  kind: fc.constantFrom('put', 'put', 'put', 'remove'),
  item: object,
  isOutdated: fc.boolean(),
});

describe('a list that is put together', () => {
  it('is the content from its commit on, and its changes are the difference, whatever an abandoned list still brings', () => {
    fc.assert(
      fc.property(fc.array(object), fc.array(step), (base, steps) => {
        const before = new Map(base.map((one) => [one.name, one]));
        const store = storeOf(before.values());
        const [outdated, replacement] = [store.replacement(), store.replacement()];
        const next = new Map<string, Thing>();
        for (const { kind, item, isOutdated } of steps) {
          const list = isOutdated ? outdated : replacement;
          if (kind === 'put') list.put(item);
          else list.remove(item);
          if (!isOutdated && kind === 'put') next.set(item.name, item);
          else if (!isOutdated) next.delete(item.name);
          for (const one of [item, ...base])
            expect(replacement.revisionOf(one)).toBe(next.get(one.name)?.resourceVersion);
        }
        const texts = (things: Iterable<Thing>) => Array.from(things, ({ text }) => text).sort();
        expect(texts(store.table.values())).toEqual(texts(before.values()));
        const changes = [...replacement.commit()].flat();
        expect(texts(store.table.values())).toEqual(texts(next.values()));
        const names = [...new Set([...before.keys(), ...next.keys()])];
        const difference = names.flatMap((name) => changesOf(before.get(name), next.get(name)));
        const sorted = (some: readonly unknown[]) => some.map((one) => JSON.stringify(one)).sort();
        expect(sorted(changes)).toEqual(sorted(difference));
        // What has not changed is the same object as before.
        for (const one of store.table.values()) {
          const known = before.get(one.name);
          if (changesOf(known, one).length === 0) expect(one).toBe(known);
        }
      }),
      { numRuns: 500 },
    );
  });
});
