import { describe, expect, it } from 'vitest';
import { createAuthorizer } from '../../../src/access/authorizer.ts';
import type { CachedLists } from '../../../src/lists/fresh-view.ts';
import { searchSecrets } from '../../../src/lists/search-secrets.ts';
import type { LiveReason } from '../../../src/lists/list-cache.ts';
import { viewOf, type NamespaceView } from '../../../src/lists/views.ts';
import { codec } from '../../fakes/annotations.ts';
import { createFakeCluster } from '../../fakes/fake-cluster.ts';
import { unhurriedCall } from '../../fakes/fake-call.ts';
import { codeOf } from '../../fakes/fake-journal.ts';
import { scopeOf } from '../../fakes/scopes.ts';
import { admin } from '../access/users.ts';
import { itemOf } from './items.ts';

const viewIn = (namespace: string, name: string) => viewOf(namespace, [itemOf(name, { namespace })]);

/**
 * A search for `db` over what the cache gives for each namespace.
 * @param isLost whether the cache is emptied after the names were read
 */
async function search(
  given: Readonly<Record<string, NamespaceView | LiveReason | 'memory'>>,
  { isLost = false } = {},
) {
  let reads = 0;
  const { policies, namespaces, secrets: store } = createFakeCluster();
  const dependencies = {
    listCache: {
      namespaces: () => (reads++ > 0 && isLost ? 'notSynced' : Object.keys(given)),
      size: () => 9_000,
      startObservation: () => ({ sequence: 1, atMs: 0 }),
      noteClusterRevision: () => undefined,
      state: (namespace: string) => {
        const view = given[namespace] ?? 'notSynced';
        return Promise.resolve(typeof view === 'string' ? view : { ageMs: 0 });
      },
    },
    views: { of: (namespace: string) => Promise.resolve(given[namespace]) },
    authorizer: createAuthorizer({ policies, namespaces, scope: scopeOf(['one', 'two', 'three']) }),
    managedOnly: false,
    ...{ store, codec },
  } as unknown as CachedLists;
  const request = { words: ['db'], type: undefined, limit: 10 };
  return searchSecrets(dependencies, admin(), request, unhurriedCall());
}

describe('a search', () => {
  it('leaves out and names namespaces of which the metadata alone is held, where they are in scope', async () => {
    const found = await search({
      one: await viewIn('one', 'db'),
      two: 'memory',
      three: await viewIn('three', 'other'),
      elsewhere: 'memory',
    });
    expect(JSON.parse(found.toString())).toMatchObject({
      results: [{ namespace: 'one', name: 'db' }],
      more: false,
      skipped: ['two'],
    });
  });

  it('leaves out and names a namespace in which a right is missing', async () => {
    const found = await search({ one: await viewIn('one', 'db'), two: 'notSynced' });
    expect(JSON.parse(found.toString())).toMatchObject({ results: [{ name: 'db' }], skipped: ['two'] });
  });

  it('fails when the cache is emptied meanwhile', async () => {
    const emptied = search({ one: 'notSynced', two: 'notSynced' }, { isLost: true });
    expect(await codeOf(emptied)).toBe('cacheUnavailable');
  });

  it('fails while a namespace is behind', async () => {
    expect(await codeOf(search({ one: await viewIn('one', 'db'), two: 'behind' }))).toBe('cacheUnavailable');
  });
});
