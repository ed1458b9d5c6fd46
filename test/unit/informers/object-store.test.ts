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
