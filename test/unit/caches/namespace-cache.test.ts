import { describe, expect, it } from 'vitest';
import { createNamespaceCache } from '../../../src/caches/policy-cache.ts';
import { PlainTable } from '../../../src/informers/object-store.ts';
import type { WatchedNamespace } from '../../../src/cluster/stores/namespace-store.ts';

function fixture() {
  const objects = new PlainTable<WatchedNamespace>();
  const status = { synced: true, revision: '10', silenceMs: 0, isForbidden: false };
  const put = (name: string, isTerminating = false) => {
    const namespace = { namespace: '', name, uid: `u-${name}`, resourceVersion: '1', isTerminating };
    objects.set(namespace, namespace);
  };
  return { put, status, cache: createNamespaceCache({ objects, status: () => status }, 90_000) };
}

describe('the namespaces from memory', () => {
  it('are those that are watched, but for those that are being deleted', () => {
    const { cache, put } = fixture();
    expect(cache.names()).toEqual([]);
    put('a');
    put('b');
    put('c', true);
    expect(cache.names()).toEqual(['a', 'b']);
    put('b', true);
    expect(cache.names()).toEqual(['a']);
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
