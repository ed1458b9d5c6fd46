import { describe, expect, it } from 'vitest';
import { unhurriedCall } from '../../fakes/fake-call.ts';
import { settled } from '../../fakes/virtual-clock.ts';
import { cachedSecret, cacheGround, type CacheGround } from './cache-fixture.ts';

const call = unhurriedCall();
const REF = { namespace: 'ns', name: 'a' };

/** What a list comes to once it has waited as long as it may: names, or why it is live. */
async function listed({ cache, clock }: CacheGround, namespace = 'ns') {
  const pending = cache.namespace(namespace, call);
  await clock.advance(250);
  const answer = await pending;
  return typeof answer === 'string' ? answer : answer.items.map(({ name }) => name);
}

describe('the list cache', () => {
  it('gives what it holds of the namespace in order, and its age', async () => {
    const ground = cacheGround();
    ground.arrive(cachedSecret('b', 11));
    ground.arrive(cachedSecret('a', 12));
    ground.arrive(cachedSecret('c', 13, { namespace: 'other' }));
    expect(await listed(ground)).toEqual(['a', 'b']);
    expect(await ground.cache.namespace('ns', call)).toMatchObject({ ageMs: 1_500 });
  });

  it('gives the very same array until something changes', async () => {
    const ground = cacheGround();
    ground.arrive(cachedSecret('a', 11));
    const items = async () => {
      const answer = await ground.cache.namespace('ns', call);
      return typeof answer === 'string' ? answer : answer.items;
    };
    const first = await items();
    expect(await items()).toBe(first);
    ground.arrive(cachedSecret('x', 12, { namespace: 'other' }));
    expect(await items()).toBe(first);
    ground.arrive(cachedSecret('a', 13));
    expect(await items()).not.toBe(first);
  });

  it('is not synced before a whole list, without a right, and outside of what is followed', async () => {
    const ground = cacheGround();
    ground.status.synced = false;
    expect(await listed(ground)).toBe('notSynced');
    ground.status.synced = true;
    ground.status.lacksRight = true;
    expect(await listed(ground)).toBe('notSynced');
    ground.status.lacksRight = false;
    expect(await listed(ground)).toEqual([]);
    expect(await listed(ground, 'outside')).toBe('notSynced');
  });

  it('is silent once the last byte is too old', async () => {
    const ground = cacheGround();
    ground.status.silenceMs = 90_000;
    expect(await listed(ground)).toEqual([]);
    ground.status.silenceMs = 90_001;
    expect(await listed(ground)).toBe('silent');
  });

  it('waits for a write of this replica, and shows it as soon as it arrives', async () => {
    const ground = cacheGround();
    const { cache, clock } = ground;
    cache.wrote(REF, '20', cache.moment());
    const pending = cache.namespace('ns', call);
    await clock.advance(100);
    ground.arrive(cachedSecret('a', 20));
    await clock.advance(4);
    expect(await pending).toMatchObject({ items: [{ name: 'a' }] });
  });

  it('is behind after 200 ms, and only in the namespace concerned', async () => {
    const ground = cacheGround();
    const { cache, clock } = ground;
    cache.wrote(REF, '20', cache.moment());
    let answer: unknown;
    void cache.namespace('ns', call).then((given) => {
      answer = given;
    });
    await clock.advance(196);
    expect(answer).toBeUndefined();
    await clock.advance(4);
    expect(answer).toBe('behind');
    expect(await cache.namespace('other', call)).toMatchObject({ items: [] });
  });

  it('does not wait for a client that has gone', async () => {
    const { cache } = cacheGround();
    cache.wrote(REF, '20', cache.moment());
    const gone = { signal: AbortSignal.abort(), remainingMs: () => 0 };
    expect(await cache.namespace('ns', gone)).toBe('behind');
  });

  it('looks again at its age after it has waited', async () => {
    const ground = cacheGround();
    ground.cache.wrote(REF, '20', ground.cache.moment());
    const pending = ground.cache.namespace('ns', call);
    await settled();
    ground.arrive(cachedSecret('a', 20));
    ground.status.silenceMs = 90_001;
    await ground.clock.advance(4);
    expect(await pending).toBe('silent');
  });

  it('does not show what this replica has deleted or found absent', async () => {
    const ground = cacheGround();
    const object = cachedSecret('a', 11);
    ground.arrive(object);
    ground.cache.sawGone(REF, object.uid, object.resourceVersion);
    ground.cache.sawAbsent(REF);
    expect(await listed(ground)).toBe('behind');
    ground.leave(object, 12);
    expect(await listed(ground)).toEqual([]);
  });

  it('shows a name again that somebody else has recreated, after one live list', async () => {
    const ground = cacheGround();
    ground.cache.sawAbsent(REF);
    const recreated = cachedSecret('a', 15, { uid: 'another' });
    ground.arrive(recreated);
    expect(await listed(ground)).toBe('behind');
    const { cache } = ground;
    cache.sawList('ns', { resourceVersion: '15', items: [recreated] }, cache.moment());
    expect(await listed(ground)).toEqual(['a']);
  });

  it('ignores revisions that it reached long ago', async () => {
    const ground = cacheGround();
    ground.cache.sawRevision(REF, '10', ground.cache.moment());
    expect(await ground.cache.namespace('ns', call)).toMatchObject({ items: [] });
    ground.cache.sawRevision(REF, '11', ground.cache.moment());
    expect(await listed(ground)).toBe('behind');
  });

  it('is uncertain for a minute after a write of unknown outcome, and until a live list after that', async () => {
    const ground = cacheGround();
    const { cache, clock } = ground;
    const liveList = () => {
      cache.sawList('ns', { resourceVersion: '10', items: [] }, cache.moment());
    };
    cache.isUncertain('ns');
    liveList();
    expect(await listed(ground)).toBe('uncertain');
    await clock.advance(60_000);
    expect(await listed(ground)).toBe('uncertain');
    liveList();
    expect(await listed(ground)).toEqual([]);
  });

  it('says that there are too many objects, and leaves namespaces over the bytes to the live collection', async () => {
    const ground = cacheGround();
    const { store, cache } = ground;
    for (let index = 0; index < 5_000; index++) store.put(cachedSecret(`s${index}`, 10));
    cache.changed('ns');
    expect(await listed(ground)).toHaveLength(5_000);
    expect(cache.hasTooManyObjects('ns')).toBe(false);
    ground.arrive(cachedSecret('one-more', 11));
    expect(await listed(ground)).toBe('tooManyObjects');
    expect(cache.hasTooManyObjects('ns')).toBe(true);
    for (let index = 0; index < 5_000; index++) store.remove(cachedSecret(`s${index}`, 10));
    ground.arrive(cachedSecret('one-more', 12, { bytes: 32 * 1024 * 1024 }));
    expect(await listed(ground)).toBe('overBudget');
    expect(cache.hasTooManyObjects('ns')).toBe(false);
    ground.arrive(cachedSecret('one-more', 13, { bytes: 32 * 1024 * 1024 - 2 }));
    expect(await listed(ground)).toEqual(['one-more']);
  });

  it('says that there are too many objects only while it vouches', () => {
    const ground = cacheGround();
    const { cache, store, status } = ground;
    for (let index = 0; index <= 5_000; index++) store.put(cachedSecret(`s${index}`, 10));
    cache.changed('ns');
    expect(cache.hasTooManyObjects('ns')).toBe(true);
    expect(cache.hasTooManyObjects('other')).toBe(false);
    status.silenceMs = 90_001;
    expect(cache.hasTooManyObjects('ns')).toBe(false);
    status.silenceMs = 0;
    status.synced = false;
    expect(cache.hasTooManyObjects('ns')).toBe(false);
    status.synced = true;
    cache.wrote(REF, '20', cache.moment());
    expect(cache.hasTooManyObjects('ns')).toBe(false);
    status.revision = '20';
    expect(cache.hasTooManyObjects('ns')).toBe(true);
    expect(cache.hasTooManyObjects('outside')).toBe(false);
  });

  it('tells the newest revision that it holds, so that no older policy is joined to it', async () => {
    const ground = cacheGround();
    ground.arrive(cachedSecret('b', 9));
    ground.arrive(cachedSecret('a', 112));
    ground.arrive(cachedSecret('c', 99));
    expect(await ground.cache.namespace('ns', call)).toMatchObject({ newest: '112' });
    expect(await ground.cache.namespace('empty', call)).toMatchObject({ newest: undefined });
    ground.arrive(cachedSecret('d', 113, { resourceVersion: 'odd' }));
    ground.status.revision = '113';
    expect(await ground.cache.namespace('ns', call)).toMatchObject({ newest: 'odd' });
  });

  it('survives questions about more namespaces than it remembers', async () => {
    const ground = cacheGround();
    const { cache } = ground;
    for (let index = 0; index < 12_000; index++) cache.sawAbsent({ namespace: `n${index}`, name: 'a' });
    cache.wrote(REF, '20', cache.moment());
    expect(await listed(ground)).toBe('behind');
  });
});
