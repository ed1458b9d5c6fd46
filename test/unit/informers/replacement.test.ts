import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isServiceError } from '../../../src/errors/service-error.ts';
import { changesBetween } from '../../../src/informers/changes.ts';
import { createListedValuesOfStore, Listed } from '../../../src/informers/listed-values.ts';
import { createPlainTable, type PlainTable } from '../../../src/informers/object-table.ts';
import {
  MOST_CHANGES,
  replaceInPlace,
  replaceTable,
  type Replacement,
} from '../../../src/informers/replacement.ts';
import { expired, reflectorFixture } from './reflector-fixture.ts';
import { page, thing, type Thing } from './scripted-source.ts';

/** What is kept of a Secret has the number of its list in itself. */
class ListedThing extends Listed implements Thing {
  readonly namespace = 'ns';
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly text: string;

  constructor({ name, uid, resourceVersion, text }: Thing) {
    super();
    [this.name, this.uid, this.resourceVersion, this.text] = [name, uid, resourceVersion, text];
  }
}

interface Made {
  readonly replacement: Replacement<Thing, Thing>;
  readonly content: () => PlainTable<Thing>;
}

function tableOf(things: Iterable<Thing>): PlainTable<Thing> {
  const table = createPlainTable<Thing>();
  for (const one of things) table.set(one, one);
  return table;
}

const failed = (): void => {
  throw new Error('too many');
};
const WAYS: readonly (readonly [way: string, make: (serving: PlainTable<Thing>) => () => Made])[] = [
  [
    'in a table of its own',
    (serving) => () => {
      let content = serving;
      const replacement = replaceTable(
        { serving, project: (item: Thing) => item },
        createPlainTable<Thing>(),
        (next) => {
          content = next;
        },
      );
      return { replacement, content: () => content };
    },
  ],
  [
    'in place',
    (serving) => {
      const listedValues = createListedValuesOfStore<Thing>();
      const options = { serving, project: (item: Thing) => item };
      return () => ({ replacement: replaceInPlace(options, listedValues(), failed), content: () => serving });
    },
  ],
];

const object = fc
  .record({
    name: fc.constantFrom('a', 'b', 'c', 'd'),
    uid: fc.constantFrom('1', '2'),
    revision: fc.integer({ min: 1, max: 3 }),
    isListed: fc.boolean(),
  })
  .map(({ name, uid, revision, isListed }) => {
    const made = thing(name, revision, { uid, text: `${name} ${uid} ${revision}` });
    return isListed ? new ListedThing(made) : made;
  });
const step = fc.record({
  kind: fc.constantFrom('put', 'put', 'put', 'remove'),
  item: object,
  isOutdated: fc.boolean(),
});

describe.each(WAYS)('a list that is put together %s', (_way, make) => {
  it('is the content from its commit on, and its changes are the difference, whatever an abandoned list still brings', () => {
    fc.assert(
      fc.property(fc.array(object), fc.array(step), (base, steps) => {
        const before = new Map(base.map((one) => [one.name, one]));
        const begin = make(tableOf(before.values()));
        const [{ replacement: outdated }, { replacement, content }] = [begin(), begin()];
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
        expect(texts(content().values())).toEqual(texts(before.values()));
        const changes = [...replacement.commit()].flat();
        expect(texts(content().values())).toEqual(texts(next.values()));
        const names = [...new Set([...before.keys(), ...next.keys()])];
        const difference = names.flatMap((name) => changesBetween(before.get(name), next.get(name)));
        const sorted = (some: readonly unknown[]) => some.map((one) => JSON.stringify(one)).sort();
        expect(sorted(changes)).toEqual(sorted(difference));
        // What has not changed is the same object as before.
        for (const one of content().values()) {
          const known = before.get(one.name);
          if (changesBetween(known, one).length === 0) expect(one).toBe(known);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('more changes than one turn should make', () => {
  const many = Array.from({ length: MOST_CHANGES + 1 }, (_, index) => thing(`many-${index}`, 1));

  it.each([
    ['new objects', [thing('a', 1)], many],
    ['objects that no longer exist', [thing('a', 1), ...many], [thing('a', 1)]],
  ])('fail a list in place, and change nothing: %s', (_what, base, list) => {
    const serving = tableOf(base);
    let tooMany = 0;
    const options = { serving, project: (item: Thing) => item };
    const replacement = replaceInPlace(options, createListedValuesOfStore<Thing>()(), () => tooMany++);
    const take = (): void => {
      for (const one of list) replacement.put(one);
      replacement.commit();
    };
    expect(take).toThrow(expect.toSatisfy((error) => isServiceError(error, 'listInconsistent')) as Error);
    expect(tooMany).toBe(1);
    expect([...serving.values()]).toEqual(base);
  });

  it.each([
    ['page by page', false],
    ['as a stream', true],
  ])('are listed once more, and take their place at once: %s', async (_how, streams) => {
    const { source, clock, start, stored, counted } = reflectorFixture();
    source.streams = streams;
    /** Many events are processed in slices, which take as many turns of the event loop as the machine needs. */
    const until = async (isDone: () => boolean): Promise<void> => {
      for (let round = 0; round < 1_000 && !isDone(); round++) await clock.advance(10);
      expect(isDone()).toBe(true);
    };
    const stream = (revision: number, things: readonly Thing[]): void => {
      const end = { resourceVersion: String(revision), endsInitialEvents: true } as const;
      for (const item of things) source.lastWatch().send({ kind: 'added', item });
      source.lastWatch().send({ kind: 'bookmark', ...end });
    };
    source.pages = [page(10, [thing('a', 1)])];
    await start();
    if (streams) stream(10, [thing('a', 1)]);
    await until(() => stored().length === 1);
    source.pages = [page(20, many)];
    source.lastWatch().fail(expired());
    for (const list of streams ? [2, 3] : []) {
      await until(() => source.streamingLists === list);
      expect(stored()).toEqual(['a']);
      stream(20, many);
    }
    await until(() => stored().length === many.length);
    expect(streams ? source.streamingLists : source.lists.length).toBe(3);
    expect(counted.filter((one) => one.startsWith('relist'))).toEqual(['relist:start', 'relist:listAgain']);
  });
});
