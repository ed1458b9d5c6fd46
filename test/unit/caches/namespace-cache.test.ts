import { describe, expect, it } from 'vitest';
import { createNamespaceCache } from '../../../src/caches/namespace-cache.ts';
import { createObjectStore } from '../../../src/informers/object-store.ts';
import type { WatchedNamespace } from '../../../src/cluster/stores/namespace-store.ts';

function fixture() {
  const objects = createObjectStore<WatchedNamespace, string>({
    project: ({ name, isTerminating }) => (isTerminating ? undefined : name),
  });
  const status = { synced: true, revision: '10', silenceMs: 0, isForbidden: false };
  const put = (name: string, isTerminating = false) =>
    objects.put({ namespace: '', name, uid: `u-${name}`, resourceVersion: '1', isTerminating });
  return { put, status, cache: createNamespaceCache({ objects, status: () => status }, 90_000) };
}

describe('the namespaces from memory', () => {
  it('are those that are watched, without those that are being deleted', () => {
    const { cache, put } = fixture();
    expect(cache.names()).toEqual([]);
    put('a');
    put('b');
    put('c', true);
    expect(cache.names()).toEqual(['a', 'b']);
    put('a', true);
    expect(cache.names()).toEqual(['b']);
  });

  it.each([
    ['before they have been listed once', { synced: false }],
    ['while a right is missing', { isForbidden: true }],
    ['when the watch has been silent for too long', { silenceMs: 90_001 }],
  ])('are unknown %s', (_when, change) => {
    const { cache, put, status } = fixture();
    put('a');
    Object.assign(status, change);
    expect(cache.names()).toBeUndefined();
  });
});
