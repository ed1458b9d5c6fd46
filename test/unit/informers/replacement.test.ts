import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ObjectStore, PlainTable } from '../../../src/informers/object-store.ts';
import { thing, type Thing } from './scripted-source.ts';

const storeOf = (things: Iterable<Thing>) => {
  const store = new ObjectStore<Thing, PlainTable<Thing>>(() => new PlainTable());
  for (const one of things) store.put(one);
  return store;
};

const isSame = (one: Thing | undefined, other: Thing | undefined) =>
  one?.uid === other?.uid && one?.resourceVersion === other?.resourceVersion;
const revisionIn = ({ table }: ReturnType<typeof storeOf>, { namespace, name }: Thing) =>
  table.get(namespace, name)?.resourceVersion;

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
          else if (!isOutdated && next.get(item.name)?.uid === item.uid) next.delete(item.name);
          for (const one of [item, ...base])
            expect(revisionIn(replacement, one)).toBe(next.get(one.name)?.resourceVersion);
        }
        const texts = (things: Iterable<Thing>) => Array.from(things, ({ text }) => text).sort();
        expect(texts(store.table.values())).toEqual(texts(before.values()));
        const changes = [...store.replaceBy(replacement)].filter((change) => change !== undefined);
        expect(texts(store.table.values())).toEqual(texts(next.values()));
        const names = [...new Set([...before.keys(), ...next.keys()])];
        const difference = names
          .map((name) => ({ value: next.get(name), previous: before.get(name) }))
          .filter(({ value, previous }) => !isSame(value, previous));
        const sorted = (some: readonly unknown[]) => some.map((one) => JSON.stringify(one)).sort();
        expect(sorted(changes)).toEqual(sorted(difference));
        // What has not changed is the same object as before.
        for (const one of store.table.values()) {
          const known = before.get(one.name);
          if (isSame(known, one)) expect(one).toBe(known);
        }
      }),
      { numRuns: 500 },
    );
  });
});
