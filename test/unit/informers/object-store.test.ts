import { describe, expect, it } from 'vitest';
import { createObjectStore } from '../../../src/informers/object-store.ts';
import { thing, type Thing } from './scripted-source.ts';

const groupedByFirstLetter = () =>
  createObjectStore<Thing, string>({
    project: ({ text }) => (text === '' ? undefined : text),
    index: (text) => (text.startsWith('-') ? undefined : text.slice(0, 1)),
  });

describe('the store', () => {
  it('keys objects by namespace and name', () => {
    const store = groupedByFirstLetter();
    store.put(thing('x', 1, { namespace: 'one', text: 'a' }));
    store.put(thing('x', 2, { namespace: 'two', text: 'b' }));
    expect(store.get('one', 'x')).toBe('a');
    expect(store.get('two', 'x')).toBe('b');
    expect(store.get('three', 'x')).toBeUndefined();
    expect(store.size).toBe(2);
  });

  it('reports nothing for a revision that it has', () => {
    const store = groupedByFirstLetter();
    store.put(thing('x', 1));
    expect(store.put(thing('x', 1))).toEqual([]);
  });

  it('keeps hostile names apart from what every object inherits', () => {
    const store = groupedByFirstLetter();
    expect(store.get('__proto__', 'constructor')).toBeUndefined();
    expect(store.byIndex('constructor')).toEqual([]);
  });
});

describe('the index', () => {
  it('follows a value from group to group, and leaves no empty group', () => {
    const store = groupedByFirstLetter();
    store.put(thing('x', 1, { text: 'apple' }));
    store.put(thing('y', 2, { text: 'avocado' }));
    expect(store.byIndex('a')).toEqual(['apple', 'avocado']);
    store.put(thing('x', 3, { text: 'banana' }));
    expect(store.byIndex('a')).toEqual(['avocado']);
    expect(store.byIndex('b')).toEqual(['banana']);
    store.put(thing('y', 4, { text: '-none' }));
    store.remove(thing('x', 5));
    expect([...store.indexKeys()]).toEqual([]);
  });

  it('follows a replacement', () => {
    const store = groupedByFirstLetter();
    store.put(thing('x', 1, { text: 'apple' }));
    const replacement = store.replacement();
    replacement.put(thing('y', 2, { text: 'banana' }));
    expect(store.byIndex('a')).toEqual(['apple']);
    replacement.commit();
    expect([...store.indexKeys()]).toEqual(['b']);
  });
});

describe('what is kept with each change', () => {
  const store = () =>
    createObjectStore<Thing, string>({
      project: ({ text }) => text,
      index: (text) => text.slice(0, 1),
      sizeOf: (text) => text.length,
      tracks: (text) => text.endsWith('!'),
      count: (group) => ({ groups: 1, members: [...group].length }),
    });

  it('follows puts, changes, moves between groups, and removals', () => {
    const kept = store();
    kept.put(thing('x', 1, { text: 'apple' }));
    kept.put(thing('y', 2, { text: 'avocado!' }));
    kept.put(thing('z', 3, { text: 'banana' }));
    expect([kept.bytes, kept.counts(), [...kept.tracked()]]).toEqual([
      19,
      { groups: 2, members: 3 },
      ['avocado!'],
    ]);
    kept.put(thing('y', 4, { text: 'beetroot' }));
    kept.remove(thing('x', 5));
    expect([kept.bytes, kept.counts(), [...kept.tracked()]]).toEqual([14, { groups: 1, members: 2 }, []]);
    expect([kept.byIndex('a'), kept.byIndex('b'), kept.sizeOfIndex('b')]).toEqual([
      [],
      ['banana', 'beetroot'],
      2,
    ]);
    kept.remove(thing('z', 6));
    kept.put(thing('y', 7, { text: 'basil' }));
    expect([kept.byIndex('b'), kept.counts()]).toEqual([['basil'], { groups: 1, members: 1 }]);
    kept.clear();
    expect([kept.bytes, kept.counts(), kept.size]).toEqual([0, {}, 0]);
  });

  it('follows a replacement, which gives each group another version', () => {
    const kept = store();
    kept.put(thing('x', 1, { text: 'apple' }));
    const before = kept.versionOfIndex('a');
    const replacement = kept.replacement();
    replacement.put(thing('x', 1, { text: 'ignored' }));
    replacement.put(thing('y', 2, { text: 'avocado' }));
    expect([kept.versionOfIndex('a'), kept.bytes]).toEqual([before, 5]);
    replacement.commit();
    expect(kept.versionOfIndex('a')).not.toBe(before);
    // The same object at the same revision stays the very same value.
    expect([kept.byIndex('a'), kept.bytes]).toEqual([['apple', 'avocado'], 12]);
  });
});

it('the changes of a list can be paused at objects that have none', () => {
  const store = groupedByFirstLetter();
  for (const name of ['a', 'b', 'c']) store.put(thing(name, 1));
  const replacement = store.replacement();
  for (const name of ['a', 'b', 'c']) replacement.put(thing(name, 1));
  expect([...replacement.commit()]).toEqual([[], [], [], [], [], []]);
});
