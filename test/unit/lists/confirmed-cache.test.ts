import { describe, expect, it } from 'vitest';
import { createAuthorizer } from '../../../src/access/authorizer.ts';
import { isServiceError, ServiceError } from '../../../src/errors/service-error.ts';
import { createCompressor } from '../../../src/lists/list-body.ts';
import type { ListsDependencies } from '../../../src/lists/fresh-view.ts';
import { createLists } from '../../../src/lists/lists.ts';
import { codec } from '../../fakes/annotations.ts';
import { createFakeCluster } from '../../fakes/fake-cluster.ts';
import { unhurriedCall } from '../../fakes/fake-call.ts';
import { inScope } from '../../fakes/in-scope.ts';
import { scopeOf } from '../../fakes/scopes.ts';
import { admin } from '../access/users.ts';
import { cachedSecret, cacheFixture } from '../caches/cache-fixture.ts';

const OVER_BUDGET = new ServiceError('responseTooLarge', 'The response is too large');

/** Lists over a cache at revision 10, of a namespace that takes more than a live list may have. */
function withCached(size = 50) {
  const fixture = cacheFixture();
  const { cache, store, clock } = fixture;
  store.put(cachedSecret('s', 10));
  cache.size = () => size;
  const { policies, namespaces } = createFakeCluster({ namespaces: ['ns'] });
  const cluster = { revision: '30' };
  const firstPage = () => ({ items: [], resourceVersion: cluster.revision, continueToken: '1', bytes: 1 });
  const secrets: ListsDependencies['store'] = {
    listPage: async (_namespace, { continueToken }) =>
      continueToken === undefined ? Promise.resolve(firstPage()) : Promise.reject(OVER_BUDGET),
    listMetadata: async () => Promise.resolve(firstPage()),
  };
  const lists = createLists({
    store: secrets,
    codec,
    authorizer: createAuthorizer({ policies, namespaces, scope: scopeOf(['ns']) }),
    managedOnly: false,
    listCache: cache,
    compress: createCompressor(),
    tokenKey: new Uint8Array(32),
    clock,
    onList: () => undefined,
    countRefusal: () => undefined,
  });
  const namespace = inScope('ns');
  const call = unhurriedCall();
  const inTime = async (read: Promise<unknown>): Promise<string> => {
    const outcome = read.then(
      () => 'fresh',
      (error: unknown) => (isServiceError(error) ? error.code : 'a defect'),
    );
    await clock.advance(2_000);
    return outcome;
  };
  return {
    ...fixture,
    cluster,
    page: async () =>
      inTime(lists.page(admin(), namespace, { words: [], sort: 'name', limit: 1, token: undefined }, call)),
    search: async () => inTime(lists.search(admin(), { words: ['s'], type: undefined, limit: 1 }, call)),
    list: async () => inTime(lists.list(admin(), namespace, { live: false }, call)),
  };
}

describe('the cache of a namespace that is over the budget of a live list', () => {
  it('is fresh again after an uncertain write, once it has reached the revision of a page', async () => {
    const { cache, clock, status, page, search, list } = withCached();
    cache.markUncertain('ns');
    await clock.advance(60_000);
    expect(await page()).toBe('cacheUnavailable');
    expect(await search()).toBe('cacheUnavailable');
    status.revision = '30';
    expect([await page(), await search(), await list()]).toEqual(['fresh', 'fresh', 'fresh']);
  });

  it.each(['search', 'list'] as const)(
    'is so by a %s alone, after too many names were absent',
    async (kind) => {
      const { cache, status, ...read } = withCached();
      for (let index = 0; index < 257; index++) cache.noteAbsent({ namespace: 'ns', name: `gone${index}` });
      expect(await read[kind]()).not.toBe('fresh');
      status.revision = '30';
      expect(await read[kind]()).toBe('fresh');
    },
  );

  it.each([50, 5_001])(
    'shows a name that was absent and is recreated elsewhere, however often it is read: %i Secrets',
    async (size) => {
      const { cache, store, cluster, status, page, search } = withCached(size);
      cache.noteAbsent({ namespace: 'ns', name: 'tls' });
      store.put(cachedSecret('tls', 20));
      expect(await page()).toBe('cacheUnavailable');
      cluster.revision = '40';
      expect(await search()).toBe('cacheUnavailable');
      status.revision = '30';
      expect([await page(), await search()]).toEqual(['fresh', 'fresh']);
    },
  );
});
