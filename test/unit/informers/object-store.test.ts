import { describe, expect, it } from 'vitest';
import { ObjectStore, PlainTable } from '../../../src/informers/object-store.ts';
import { thing, type Thing } from './scripted-source.ts';

const emptyStore = () =>
  new ObjectStore<Thing, PlainTable<Thing>>(() => new PlainTable(({ text }) => text.length));

describe('the store', () => {
  it('keys objects by namespace and name', () => {
    const store = emptyStore();
    store.put(thing('x', 1, { namespace: 'one', text: 'a' }));
    store.put(thing('x', 2, { namespace: 'two', text: 'b' }));
    const { table } = store;
    expect(table.get('one', 'x')?.text).toBe('a');
    expect(table.get('two', 'x')?.text).toBe('b');
    expect(table.get('three', 'x')).toBeUndefined();
    expect(table.size).toBe(2);
  });

  it('reports nothing for a revision that it has', () => {
    const store = emptyStore();
    store.put(thing('x', 1));
    expect(store.put(thing('x', 1))).toBeUndefined();
  });

  it('keeps hostile names apart from what every object inherits', () => {
    expect(emptyStore().table.get('__proto__', 'constructor')).toBeUndefined();
  });

  it('reports another uid under a name as a change from one object to another', () => {
    const store = emptyStore();
    const [first, second] = [thing('x', 1), thing('x', 2, { uid: 'other' })];
    store.put(first);
    expect(store.put(second)).toEqual({ value: second, previous: first });
  });

  it('does not remove what has the name by now', () => {
    const store = emptyStore();
    store.put(thing('x', 2, { uid: 'other' }));
    expect(store.remove(thing('x', 1))).toBeUndefined();
    expect(store.table.size).toBe(1);
  });
});

describe('a replacement', () => {
  it('is the content of the store from its commit on', () => {
    const store = emptyStore();
    store.put(thing('x', 1, { text: 'apple' }));
    const replacement = store.replacement();
    replacement.put(thing('y', 2, { text: 'banana' }));
    expect(Array.from(store.table.values(), ({ text }) => text)).toEqual(['apple']);
    store.replaceBy(replacement);
    expect(Array.from(store.table.values(), ({ text }) => text)).toEqual(['banana']);
    expect(store.table.bytes).toBe(6);
  });

  it('keeps the very value of an object at the same revision', () => {
    const store = emptyStore();
    const apple = thing('x', 1);
    store.put(apple);
    const replacement = store.replacement();
    replacement.put({ ...apple });
    store.replaceBy(replacement);
    expect(store.table.get('ns', 'x')).toBe(apple);
  });

  it('finds no change where there is none, and puts a whole object in the place of its metadata', () => {
    const store = emptyStore();
    for (const name of ['a', 'b', 'c']) store.put(thing(name, 1));
    const replacement = store.replacement();
    for (const name of ['a', 'b', 'c']) replacement.put(thing(name, 1));
    expect([...store.replaceBy(replacement)].filter((change) => change !== undefined)).toEqual([]);
    const reduced = { ...thing('d', 1), isReduced: true } as const;
    store.put(reduced);
    const next = store.replacement();
    for (const name of ['a', 'b', 'c', 'd']) next.put(thing(name, 1));
    expect([...store.replaceBy(next)].filter((change) => change !== undefined)).toEqual([
      { value: thing('d', 1), previous: reduced },
    ]);
    expect(store.table.get('ns', 'd')).not.toHaveProperty('isReduced');
  });

  it('is put together in a table of its own, whose changes can be paused between any two objects', () => {
    const store = emptyStore();
    const { table } = store;
    const replacement = store.replacement();
    for (const name of ['a', 'b', 'c']) replacement.put(thing(name, 1));
    expect(Array.from(store.replaceBy(replacement), (change) => change?.value?.name)).toEqual([
      'a',
      'b',
      'c',
    ]);
    expect(store.table).not.toBe(table);
  });
});

it('a table counts and sums what it holds', () => {
  const { table } = emptyStore();
  const [x, y] = [thing('x', 1, { text: 'apple' }), thing('y', 2, { text: 'avocado' })];
  table.set(x, x);
  table.set(y, y);
  expect([table.size, table.bytes]).toEqual([2, 12]);
  table.set(x, { ...x, text: 'fig' });
  table.set(y, undefined);
  table.set(y, undefined);
  expect([table.size, table.bytes, table.get('ns', 'y')]).toEqual([1, 3, undefined]);
  table.set(x, undefined);
  expect([table.size, table.bytes, [...table.values()]]).toEqual([0, 0, []]);
});
