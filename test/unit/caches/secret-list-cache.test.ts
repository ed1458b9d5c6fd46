import { describe, expect, it } from 'vitest';
import { unhurriedCall } from '../../fakes/fake-call.ts';
import { settled } from '../../fakes/virtual-clock.ts';
import { cachedSecret, cacheFixture, type CacheFixture } from './cache-fixture.ts';

const deadline = unhurriedCall();
const REF = { namespace: 'ns', name: 'a' };

/** What a list comes to once it has waited as long as it may: names, or why it is live. */
async function listed({ cache, clock }: CacheFixture, namespace = 'ns') {
  const pending = cache.namespace(namespace, deadline);
  await clock.advance(250);
  const answer = await pending;
  return typeof answer === 'string' ? answer : answer.items.map(({ name }) => name);
}

describe('the list cache', () => {
  it('gives what it holds of the namespace in order, and its age', async () => {
    const fixture = cacheFixture();
    fixture.arrive(cachedSecret('b', 11));
    fixture.arrive(cachedSecret('a', 12));
    fixture.arrive(cachedSecret('c', 13, { namespace: 'other' }));
    expect(await listed(fixture)).toEqual(['a', 'b']);
    expect(await fixture.cache.namespace('ns', deadline)).toMatchObject({ ageMs: 1_500 });
  });

  it('gives the very same array until something changes', async () => {
    const fixture = cacheFixture();
    fixture.arrive(cachedSecret('a', 11));
    const items = async () => {
      const answer = await fixture.cache.namespace('ns', deadline);
      return typeof answer === 'string' ? answer : answer.items;
    };
    const first = await items();
    expect(await items()).toBe(first);
    fixture.arrive(cachedSecret('x', 12, { namespace: 'other' }));
    expect(await items()).toBe(first);
    fixture.arrive(cachedSecret('a', 13));
    expect(await items()).not.toBe(first);
  });

  it('is not synced before a whole list, without a right, and outside of what is followed', async () => {
    const fixture = cacheFixture();
    fixture.status.synced = false;
    expect(await listed(fixture)).toBe('notSynced');
    fixture.status.synced = true;
    fixture.status.isForbidden = true;
    expect(await listed(fixture)).toBe('notSynced');
    fixture.status.isForbidden = false;
    expect(await listed(fixture)).toEqual([]);
    expect(await listed(fixture, 'outside')).toBe('notSynced');
  });

  it('is silent once the last byte is too old', async () => {
    const fixture = cacheFixture();
    fixture.status.silenceMs = 90_000;
    expect(await listed(fixture)).toEqual([]);
    fixture.status.silenceMs = 90_001;
    expect(await listed(fixture)).toBe('silent');
  });

  it('waits for a write of this replica, and shows it as soon as it arrives', async () => {
    const fixture = cacheFixture();
    const { cache, clock } = fixture;
    cache.noteWritten(REF, '20', cache.startObservation());
    const pending = cache.namespace('ns', deadline);
    await clock.advance(100);
    fixture.arrive(cachedSecret('a', 20));
    await clock.advance(4);
    expect(await pending).toMatchObject({ items: [{ name: 'a' }] });
  });

  it('is behind after 200 ms, and only in the namespace concerned', async () => {
    const fixture = cacheFixture();
    const { cache, clock } = fixture;
    cache.noteWritten(REF, '20', cache.startObservation());
    let answer: unknown;
    void cache.namespace('ns', deadline).then((given) => {
      answer = given;
    });
    await clock.advance(196);
    expect(answer).toBeUndefined();
    await clock.advance(4);
    expect(answer).toBe('behind');
    expect(await cache.namespace('other', deadline)).toMatchObject({ items: [] });
  });

  it('does not wait for a client that has gone', async () => {
    const { cache } = cacheFixture();
    cache.noteWritten(REF, '20', cache.startObservation());
    const gone = { signal: AbortSignal.abort(), remainingMs: () => 0 };
    expect(await cache.namespace('ns', gone)).toBe('behind');
  });

  it('looks again at its age after it has waited', async () => {
    const fixture = cacheFixture();
    fixture.cache.noteWritten(REF, '20', fixture.cache.startObservation());
    const pending = fixture.cache.namespace('ns', deadline);
    await settled();
    fixture.arrive(cachedSecret('a', 20));
    fixture.status.silenceMs = 90_001;
    await fixture.clock.advance(4);
    expect(await pending).toBe('silent');
  });

  it('does not show what this replica has deleted or found absent', async () => {
    const fixture = cacheFixture();
    const object = cachedSecret('a', 11);
    fixture.arrive(object);
    fixture.cache.noteDeleted(REF, object.uid, object.resourceVersion);
    fixture.cache.noteAbsent(REF);
    expect(await listed(fixture)).toBe('behind');
    fixture.leave(object, 12);
    expect(await listed(fixture)).toEqual([]);
  });

  it('shows a name again that someone else has recreated, after one live list', async () => {
    const fixture = cacheFixture();
    fixture.cache.noteAbsent(REF);
    const recreated = cachedSecret('a', 15, { uid: 'another' });
    fixture.arrive(recreated);
    expect(await listed(fixture)).toBe('behind');
    const { cache } = fixture;
    cache.noteList('ns', { resourceVersion: '15', items: [recreated] }, cache.startObservation());
    expect(await listed(fixture)).toEqual(['a']);
  });

  it('ignores revisions that it reached long ago', async () => {
    const fixture = cacheFixture();
    fixture.cache.noteRevision(REF, '10', fixture.cache.startObservation());
    expect(await fixture.cache.namespace('ns', deadline)).toMatchObject({ items: [] });
    fixture.cache.noteRevision(REF, '11', fixture.cache.startObservation());
    expect(await listed(fixture)).toBe('behind');
  });

  it('is uncertain for a minute after a write of unknown outcome, and until a live list after that', async () => {
    const fixture = cacheFixture();
    const { cache, clock } = fixture;
    const liveList = () => {
      cache.noteList('ns', { resourceVersion: '10', items: [] }, cache.startObservation());
    };
    cache.markUncertain('ns');
    liveList();
    expect(await listed(fixture)).toBe('uncertain');
    await clock.advance(60_000);
    expect(await listed(fixture)).toBe('uncertain');
    liveList();
    expect(await listed(fixture)).toEqual([]);
  });

  it('says that there are too many objects, and leaves namespaces over the bytes to the live collection', async () => {
    const fixture = cacheFixture();
    const { store, cache } = fixture;
    for (let index = 0; index < 5_000; index++) store.put(cachedSecret(`s${index}`, 10));
    cache.changed('ns');
    expect(await listed(fixture)).toHaveLength(5_000);
    expect(cache.hasTooManyObjects('ns')).toBe(false);
    fixture.arrive(cachedSecret('one-more', 11));
    expect(await listed(fixture)).toBe('tooManyObjects');
    expect(cache.hasTooManyObjects('ns')).toBe(true);
    for (let index = 0; index < 5_000; index++) store.remove(cachedSecret(`s${index}`, 10));
    fixture.arrive(cachedSecret('one-more', 12, { bytes: 32 * 1024 * 1024 }));
    expect(await listed(fixture)).toBe('overBudget');
    expect(cache.hasTooManyObjects('ns')).toBe(false);
    fixture.arrive(cachedSecret('one-more', 13, { bytes: 32 * 1024 * 1024 - 2 }));
    expect(await listed(fixture)).toEqual(['one-more']);
  });

  it('says that there are too many objects only while it vouches', () => {
    const fixture = cacheFixture();
    const { cache, store, status } = fixture;
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
    cache.noteWritten(REF, '20', cache.startObservation());
    expect(cache.hasTooManyObjects('ns')).toBe(false);
    status.revision = '20';
    expect(cache.hasTooManyObjects('ns')).toBe(true);
    expect(cache.hasTooManyObjects('outside')).toBe(false);
  });

  it('returns the newest revision that it holds, so that no older policy is joined to it', async () => {
    const fixture = cacheFixture();
    fixture.arrive(cachedSecret('b', 9));
    fixture.arrive(cachedSecret('a', 112));
    fixture.arrive(cachedSecret('c', 99));
    expect(await fixture.cache.namespace('ns', deadline)).toMatchObject({ newest: '112' });
    expect(await fixture.cache.namespace('empty', deadline)).toMatchObject({ newest: undefined });
    fixture.arrive(cachedSecret('d', 113, { resourceVersion: 'odd' }));
    fixture.status.revision = '113';
    expect(await fixture.cache.namespace('ns', deadline)).toMatchObject({ newest: 'odd' });
  });

  it('gives a state of any size, and only its version to those who have it', async () => {
    const fixture = cacheFixture();
    for (let index = 0; index < 5_001; index++) fixture.arrive(cachedSecret(`a${index}`, 11 + index));
    const first = await fixture.cache.state('ns', undefined, deadline);
    if (typeof first === 'string') throw new Error(first);
    expect(first).toMatchObject({ ageMs: 1_500 });
    expect(first.items).toHaveLength(5_001);
    const again = await fixture.cache.state('ns', first.version, deadline);
    expect(again).toEqual({ version: first.version, items: undefined, ageMs: 1_500 });
    fixture.arrive(cachedSecret('a0', 9_000));
    const next = await fixture.cache.state('ns', first.version, deadline);
    expect(next).toMatchObject({ items: { length: 5_001 } });
    expect(fixture.cache.size('ns')).toBe(5_001);
    expect(await fixture.cache.state('empty', undefined, deadline)).toMatchObject({ version: 0, items: [] });
  });

  it('gives no state that it would not give a list of', async () => {
    const fixture = cacheFixture();
    fixture.arrive(cachedSecret('a', 11));
    fixture.cache.noteWritten(REF, '20', fixture.cache.startObservation());
    const pending = fixture.cache.state('ns', undefined, deadline);
    await fixture.clock.advance(250);
    expect(await pending).toBe('behind');
    fixture.cache.noteClusterRevision('ns', '21', fixture.cache.startObservation());
    fixture.status.revision = '21';
    expect(await fixture.cache.state('ns', undefined, deadline)).toMatchObject({ items: { length: 1 } });
    fixture.cache.markUncertain('ns');
    expect(await fixture.cache.state('ns', undefined, deadline)).toBe('uncertain');
    fixture.status.silenceMs = 90_001;
    expect(await fixture.cache.state('ns', undefined, deadline)).toBe('silent');
  });

  it('names the namespaces that have Secrets, while it vouches for that', () => {
    const fixture = cacheFixture();
    fixture.arrive(cachedSecret('a', 11));
    fixture.arrive(cachedSecret('a', 12, { namespace: 'other' }));
    expect(fixture.cache.namespaces()).toEqual(['ns', 'other']);
    fixture.leave(cachedSecret('a', 12, { namespace: 'other' }), 13);
    expect(fixture.cache.namespaces()).toEqual(['ns']);
    fixture.status.silenceMs = 90_001;
    expect(fixture.cache.namespaces()).toBe('silent');
    fixture.status.synced = false;
    expect(fixture.cache.namespaces()).toBe('notSynced');
  });

  it('survives questions about more namespaces than it remembers', async () => {
    const fixture = cacheFixture();
    const { cache } = fixture;
    for (let index = 0; index < 12_000; index++) cache.noteAbsent({ namespace: `n${index}`, name: 'a' });
    cache.noteWritten(REF, '20', cache.startObservation());
    expect(await listed(fixture)).toBe('behind');
  });
});
