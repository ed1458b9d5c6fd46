import { describe, expect, it } from 'vitest';
import { CONFIG_MAP } from '../../../../hack/dev-cluster/kinds/config-map.ts';
import { SECRET } from '../../../../hack/dev-cluster/kinds/secret.ts';
import { type Change } from '../../../../hack/dev-cluster/store/history.ts';
import { Store } from '../../../../hack/dev-cluster/store/store.ts';
import { stored } from '../objects.ts';

const keys = (store: Store, namespace = '', revision?: number): string[] =>
  store.entries(SECRET, namespace, revision).map(([key]) => key);

describe('the store', () => {
  it('counts one revision up over all kinds', () => {
    const store = new Store({ revision: 1 });
    const first = store.put(SECRET, stored('a'));
    const second = store.put(CONFIG_MAP, stored('a'));
    store.remove(SECRET, first);
    const third = store.put(SECRET, stored('b'));
    const revisions = [first, second, third].map(({ metadata }) => Number(metadata.resourceVersion));
    expect(revisions).toEqual([2, 3, 5]);
    expect(store.revision).toBe(5);
  });

  it('keeps entries in the order of their keys, by namespace', () => {
    const store = new Store({ revision: 1 });
    for (const name of ['b', 'a-1', 'a', 'c']) store.put(SECRET, stored(name));
    store.put(SECRET, stored('z', {}, { namespace: 'aaa' }));
    store.put(SECRET, stored('x', {}, { namespace: 'default-2' }));
    expect(keys(store)).toEqual([
      'aaa/z',
      'default-2/x',
      'default/a',
      'default/a-1',
      'default/b',
      'default/c',
    ]);
    expect(keys(store, 'default')).toEqual(['default/a', 'default/a-1', 'default/b', 'default/c']);
  });

  it('shows what was there at an earlier revision', () => {
    const store = new Store({ revision: 1 });
    const a = store.put(SECRET, stored('a', { v: 1 }));
    store.put(SECRET, stored('b'));
    const then = store.revision;
    store.put(SECRET, stored('a', { v: 2 }));
    store.put(SECRET, stored('a', { v: 3 }));
    store.put(SECRET, stored('c'));
    store.remove(SECRET, stored('b'));
    expect(keys(store, '', then)).toEqual(['default/a', 'default/b']);
    expect(store.entries(SECRET, '', then)[0]?.[1]).toBe(a);
    expect(keys(store)).toEqual(['default/a', 'default/c']);
  });

  it('begins with a key, now and at an earlier revision', () => {
    const store = new Store({ revision: 1 });
    for (const name of ['a', 'b', 'c']) store.put(SECRET, stored(name));
    const then = store.revision;
    const from = (namespace: string, start: string, revision: number): string[] =>
      Array.from(store.entriesFrom(SECRET, namespace, start, revision), ([key]) => key);
    expect(from('', 'default/b', then)).toEqual(['default/b', 'default/c']);
    store.remove(SECRET, stored('a'));
    store.remove(SECRET, stored('c'));
    store.put(SECRET, stored('d'));
    expect(from('default', 'b', then)).toEqual(['default/b', 'default/c']);
    expect(from('default', 'b', store.revision)).toEqual(['default/b', 'default/d']);
  });

  it('notifies its listeners of every change in order, and no more once they stop', () => {
    const store = new Store({ revision: 1 });
    const seen: Change[] = [];
    const stop = store.subscribe((change) => seen.push(change));
    store.put(SECRET, stored('a'));
    store.put(SECRET, stored('a', { v: 2 }));
    store.remove(SECRET, stored('a'));
    stop();
    store.put(SECRET, stored('b'));
    expect(seen.map(({ type, revision }) => `${type} ${revision}`)).toEqual([
      'ADDED 2',
      'MODIFIED 3',
      'DELETED 4',
    ]);
    expect(seen[2]?.object).toMatchObject({ v: 2, metadata: { resourceVersion: '4' } });
    expect(seen[2]?.previous?.metadata.resourceVersion).toBe('3');
  });

  it('makes every revision of before too old when it is compacted', () => {
    const store = new Store({ revision: 1 });
    store.put(SECRET, stored('a'));
    const before = store.revision;
    store.compact();
    expect(before).toBeLessThan(store.compacted);
    expect(store.revision).toBeGreaterThanOrEqual(store.compacted);
    expect(store.changesSince(store.compacted)).toEqual([]);
  });

  it('remembers as many changes as configured, and not for ever more', () => {
    const store = new Store({ historyLimit: 3 });
    for (let turn = 0; turn < 50; turn++) store.put(SECRET, stored('a', { turn }));
    const remembered = store.revision - store.compacted;
    expect(remembered).toBeGreaterThanOrEqual(3);
    expect(remembered).toBeLessThanOrEqual(6);
    expect(store.changesSince(store.compacted)).toHaveLength(remembered);
  });

  it('goes on from the revision of an earlier run', () => {
    const store = new Store({ revision: 41 });
    expect(store.put(SECRET, stored('a')).metadata.resourceVersion).toBe('42');
    expect(store.compacted).toBe(41);
  });
});
