import { describe, expect, it } from 'vitest';
import type { Actor } from '../../../src/access/actor.ts';
import { createAuthorizer } from '../../../src/access/authorizer.ts';
import { createCompressor } from '../../../src/lists/list-body.ts';
import type { ListCache } from '../../../src/lists/list-cache.ts';
import type { ListItem } from '../../../src/lists/list-item.ts';
import type { ListOutcome } from '../../../src/lists/list-cache.ts';
import { createLists } from '../../../src/lists/lists.ts';
import { codec } from '../../fakes/annotations.ts';
import { createFakeCluster } from '../../fakes/fake-cluster.ts';
import { codeOf } from '../../fakes/fake-journal.ts';
import { inScope } from '../../fakes/in-scope.ts';
import { scopeOf } from '../../fakes/scopes.ts';
import { createVirtualClock } from '../../fakes/virtual-clock.ts';
import { actor, admin } from '../access/users.ts';
import { deadline, seedLive } from '../history/live-secret.ts';
import { givenCache, itemOf, type GivenCache } from './items.ts';

interface PageJson {
  readonly secrets: readonly { readonly name: string }[];
  readonly total: number;
  readonly continue?: string;
}

const KEY = new Uint8Array(32).fill(7);
const ORDERS = { words: [], sort: 'name' } as const;

function setUp(cache: GivenCache = givenCache(), size = () => cache.items.length) {
  const cluster = createFakeCluster();
  const clock = createVirtualClock();
  const outcomes: ListOutcome[] = [];
  const waited: unknown[] = [];
  const listCache = {
    ...cache,
    state: (namespace: string, _deadline: unknown, waitMs: unknown) => {
      waited.push(waitMs);
      return cache.state(namespace);
    },
    namespaces: () => [],
    size,
    startObservation: () => ({ sequence: 1, atMs: 0 }),
    noteList: () => undefined,
    noteClusterRevision: () => undefined,
  } as unknown as ListCache;
  const { policies, namespaces, secrets: store } = cluster;
  const lists = createLists({
    store,
    codec,
    authorizer: createAuthorizer({ policies, namespaces, scope: scopeOf() }),
    managedOnly: false,
    listCache,
    compress: createCompressor(),
    tokenKey: KEY,
    clock,
    onList: (outcome) => outcomes.push(outcome),
    countRefusal: () => undefined,
  });
  const request = (who: Actor, limit: number, token?: string, words: readonly string[] = []) =>
    lists.page(who, inScope('team-a'), { ...ORDERS, words, limit, token }, deadline);
  const page = async (who: Actor, limit: number, token?: string, words?: readonly string[]) => {
    const { body, from } = await request(who, limit, token, words);
    return { ...(JSON.parse(body.plain.toString()) as PageJson), from };
  };
  const change = (items: readonly ListItem[]): void => {
    cache.items = items;
    cache.change('team-a', 1_000);
  };
  return { cluster, cache, clock, lists, outcomes, waited, request, page, change };
}

const revised = (
  name: string,
  revision: number,
  rules?: { allowedGroups: string[]; allowedUsers: string[] },
) =>
  itemOf(name, {
    namespace: 'team-a',
    resourceVersion: String(revision),
    ...(rules === undefined ? {} : { rules }),
  });
const CLOSED = { allowedGroups: ['other'], allowedUsers: [] };
const NAMES = ['a', 'b', 'b-1', 'c', 'd'];
const OPEN = NAMES.map((name, index) => revised(name, index + 1));
const names = ({ secrets }: PageJson) => secrets.map(({ name }) => name);

describe('the next page', () => {
  it('is of the state of the first, for five minutes after the last', async () => {
    const { page, request, change, clock } = setUp(givenCache(OPEN));
    const first = await page(actor(), 2);
    change([revised('a', 9), ...OPEN.slice(1, 4)]);
    expect(names(await page(actor(), 3, first.continue))).toEqual(['b-1', 'c', 'd']);
    clock.jump(5 * 60_000);
    expect(await codeOf(request(actor(), 3, first.continue))).toBe('pageExpired');
  });

  it('is of what the person sees now, where that is the same, on every replica with the key', async () => {
    const here = setUp(givenCache(OPEN));
    const there = setUp(givenCache(OPEN.toReversed()));
    const first = await here.page(actor(), 2);
    expect(names(await there.page(actor(), 3, first.continue))).toEqual(['b-1', 'c', 'd']);
    there.change(OPEN.slice(1));
    expect(await codeOf(there.request(actor(), 3, first.continue))).toBe('pageExpired');
  });

  it('is not for anyone else, nor for another namespace', async () => {
    const { page, request, lists } = setUp(givenCache(OPEN));
    const first = await page(actor(), 2);
    expect(await codeOf(request(actor({ email: 'someone@example.com' }), 2, first.continue))).toBe(
      'pageExpired',
    );
    const elsewhere = { ...ORDERS, limit: 2, token: first.continue };
    expect(await codeOf(lists.page(actor(), inScope('team-b'), elsewhere, deadline))).toBe('pageExpired');
  });

  it.each(NAMES.slice(2))('ends when access to one of its Secrets is lost, here %j', async (name) => {
    const { page, request, change } = setUp(givenCache(OPEN));
    const first = await page(actor(), 2);
    change(OPEN.map((one) => (one.name === name ? revised(name, 9, CLOSED) : one)));
    expect(await codeOf(request(actor(), 3, first.continue))).toBe('pageExpired');
  });

  it('goes on where a Secret that it does not show is hidden, or one is changed or deleted', async () => {
    for (const items of [
      OPEN.map((one) => (one.name === 'a' ? revised('a', 9, CLOSED) : one)),
      OPEN.map(({ name }, index) => revised(name, 10 + index)),
      OPEN.slice(1, 4),
      [],
    ]) {
      const { page, change } = setUp(givenCache(OPEN));
      const first = await page(actor(), 2);
      change(items);
      expect(names(await page(actor(), 3, first.continue))).toEqual(['b-1', 'c', 'd']);
    }
  });

  it('of revisions that cannot be compared is of the held state alone', async () => {
    const opaque = NAMES.map((name) => itemOf(name, { namespace: 'team-a', resourceVersion: 'x' }));
    const [here, there] = [setUp(givenCache(opaque)), setUp(givenCache(opaque))];
    const first = await here.page(actor(), 2);
    expect(names(await here.page(actor(), 3, first.continue))).toEqual(['b-1', 'c', 'd']);
    expect(await codeOf(there.request(actor(), 3, first.continue))).toBe('pageExpired');
  });
});

describe('what a token says to someone who does not see all', () => {
  const hidden = (revision: number) => [revised('h1', revision, CLOSED), revised('h2', revision + 1, CLOSED)];

  it('is the same whatever the Secrets are that are hidden: it goes on though they change, here and elsewhere', async () => {
    const here = setUp(givenCache([...OPEN, ...hidden(20)]));
    const other = setUp(givenCache(OPEN));
    const first = await here.page(actor(), 2);
    expect(names(await other.page(actor(), 3, first.continue))).toEqual(['b-1', 'c', 'd']);
    here.change([...OPEN, ...hidden(30)]);
    here.clock.jump(5 * 60_000);
    expect(names(await here.page(actor(), 3, first.continue))).toEqual(['b-1', 'c', 'd']);
    // Whoever sees them is at another state.
    const seen = await here.page(admin(), 2);
    here.change([...OPEN, ...hidden(40)]);
    here.clock.jump(5 * 60_000);
    expect(await codeOf(here.request(admin(), 3, seen.continue))).toBe('pageExpired');
  });

  it('cannot be compared: two of one state are as different as those of two', async () => {
    const { page } = setUp(givenCache([...OPEN, ...hidden(20)]));
    const tokens = await Promise.all([1, 2].map(async () => (await page(actor(), 2)).continue));
    expect(new Set(tokens).size).toBe(2);
    expect(new Set(tokens.map((token) => token?.length)).size).toBe(1);
  });
});

describe('a page while the cache is not fresh', () => {
  it('is waited for a second, and then collected live, within the budget of a list', async () => {
    const cache = givenCache();
    const { cluster, page, outcomes, waited } = setUp(cache, () => 5_000);
    cache.reason = 'behind';
    for (const name of ['x', 'y', 'z']) seedLive(cluster, { name });
    const first = await page(actor(), 2);
    expect([names(first), first.total, first.from]).toEqual([
      ['x', 'y'],
      3,
      { source: 'live', reason: 'behind' },
    ]);
    expect(names(await page(actor(), 2, first.continue))).toEqual(['z']);
    expect(outcomes).toHaveLength(2);
    expect(waited[0]).toBe(1_000);
  });

  it('goes on from the live state when the cache has caught up with something newer', async () => {
    const cache = givenCache();
    const { cluster, page, change } = setUp(cache, () => 5);
    cache.reason = 'silent';
    for (const name of ['x', 'y', 'z']) seedLive(cluster, { name });
    const first = await page(actor(), 2);
    cache.reason = undefined;
    change(OPEN.map(({ name }) => revised(name, 99_999)));
    expect(names(await page(actor(), 2, first.continue))).toEqual(['z']);
  });

  it('of a larger namespace is 503 with Retry-After, and nothing is collected', async () => {
    const cache = givenCache();
    const { cluster, request } = setUp(cache, () => 5_001);
    cache.reason = 'behind';
    await expect(request(actor(), 2)).rejects.toMatchObject({
      code: 'cacheUnavailable',
      retryAfterSeconds: 2,
    });
    expect(cluster.calls.map(({ method }) => method)).toEqual(['secrets.listMetadata']);
  });

  it('is over budget where the metadata alone is held, and so counted', async () => {
    const cache = givenCache();
    const { cluster, request, outcomes } = setUp(cache);
    cache.reason = 'memory';
    await expect(request(actor(), 2)).rejects.toMatchObject({
      code: 'listOverBudget',
      reason: 'listOverBudget:memory',
    });
    expect(outcomes).toEqual([{ source: 'refused', reason: 'memory' }]);
    expect(cluster.calls).toEqual([]);
  });

  it('fails as a live list does', async () => {
    const cache = givenCache();
    const { cluster, request } = setUp(cache);
    cache.reason = 'notSynced';
    cluster.fail({ method: 'secrets.listPage' }, 'unavailable');
    expect(await codeOf(request(admin(), 2))).toBe('listFailed');
  });
});
