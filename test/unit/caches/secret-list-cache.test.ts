import { describe, expect, it } from 'vitest';
import type { CachedState } from '../../../src/lists/list-cache.ts';
import { unhurriedCall } from '../../fakes/fake-call.ts';
import { settled } from '../../fakes/virtual-clock.ts';
import { budgetOf, cachedSecret, cacheFixture, type CacheFixture } from './cache-fixture.ts';

const deadline = unhurriedCall();
const REF = { namespace: 'ns', name: 'a' };

const namesIn = (state: CachedState) => state.items().map(({ name }) => name);

/** What a list comes to once it has waited as long as it may: names, or why it is live. */
async function listed({ cache, clock }: CacheFixture, namespace = 'ns') {
  const pending = cache.state(namespace, deadline);
  await clock.advance(250);
  const answer = await pending;
  return typeof answer === 'string' ? answer : namesIn(answer);
}

describe('the list cache', () => {
  it('gives what it holds of the namespace, and its age', async () => {
    const fixture = cacheFixture();
    fixture.arrive(cachedSecret('a', 11));
    fixture.arrive(cachedSecret('b', 12));
    fixture.arrive(cachedSecret('c', 13, { namespace: 'other' }));
    expect(await listed(fixture)).toEqual(['a', 'b']);
    expect(await fixture.cache.state('ns', deadline)).toMatchObject({ ageMs: 1_500 });
  });

  it('gives each state of a namespace a version of its own, and reports each change', async () => {
    const fixture = cacheFixture();
    const changes: unknown[] = [];
    fixture.cache.onChange((...change) => changes.push(change));
    fixture.arrive(cachedSecret('a', 11));
    const version = async () => {
      const answer = await fixture.cache.state('ns', deadline);
      return typeof answer === 'string' ? answer : answer.version;
    };
    const first = await version();
    expect(await version()).toBe(first);
    fixture.arrive(cachedSecret('x', 12, { namespace: 'other' }));
    expect(await version()).toBe(first);
    fixture.arrive(cachedSecret('a', 13));
    expect(await version()).not.toBe(first);
    fixture.changed('ns', 4_711);
    expect(changes).toEqual([
      ['ns', 0],
      ['other', 0],
      ['ns', 0],
      ['ns', 4_711],
    ]);
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
    const pending = cache.state('ns', deadline);
    await clock.advance(100);
    fixture.arrive(cachedSecret('a', 20));
    await clock.advance(4);
    expect(await pending).toMatchObject({ count: 1 });
  });

  it('is behind after 200 ms, and only in the namespace concerned', async () => {
    const fixture = cacheFixture();
    const { cache, clock } = fixture;
    cache.noteWritten(REF, '20', cache.startObservation());
    let answer: unknown;
    void cache.state('ns', deadline).then((given) => {
      answer = given;
    });
    await clock.advance(196);
    expect(answer).toBeUndefined();
    await clock.advance(4);
    expect(answer).toBe('behind');
    expect(await cache.state('other', deadline)).toMatchObject({ count: 0 });
  });

  it('does not wait for a client that has gone', async () => {
    const { cache } = cacheFixture();
    cache.noteWritten(REF, '20', cache.startObservation());
    const gone = { signal: AbortSignal.abort(), remainingMs: () => 0 };
    expect(await cache.state('ns', gone)).toBe('behind');
  });

  it('looks again at its age after it has waited', async () => {
    const fixture = cacheFixture();
    fixture.cache.noteWritten(REF, '20', fixture.cache.startObservation());
    const pending = fixture.cache.state('ns', deadline);
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
    expect(await fixture.cache.state('ns', deadline)).toMatchObject({ count: 0 });
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

  it('is uncertain until the next live list after one that is over', async () => {
    const fixture = cacheFixture();
    const { cache } = fixture;
    cache.markUncertain('ns', true);
    expect(await listed(fixture)).toBe('uncertain');
    cache.noteList('ns', { resourceVersion: '10', items: [] }, cache.startObservation());
    expect(await listed(fixture)).toEqual([]);
  });

  it('waits as long as the request says', async () => {
    const { cache, clock } = cacheFixture();
    cache.noteWritten(REF, '20', cache.startObservation());
    let answer: unknown;
    void cache.state('ns', deadline, 1_000).then((given) => {
      answer = given;
    });
    await clock.advance(996);
    expect(answer).toBeUndefined();
    await clock.advance(4);
    expect(answer).toBe('behind');
  });

  it('says that a namespace takes too much memory, also of a live list, until it is whole again', async () => {
    const fixture = cacheFixture(budgetOf({ namespaceBytes: 2_500 }));
    for (const name of ['a', 'b']) fixture.arrive(cachedSecret(name, 11));
    expect(await listed(fixture)).toEqual(['a', 'b']);
    fixture.arrive(cachedSecret('c', 12));
    expect(await listed(fixture)).toBe('memory');
    expect(await fixture.cache.state('ns', deadline, 0)).toBe('memory');
    expect(await listed(fixture, 'other')).toEqual([]);
    expect(fixture.cache.size('ns')).toBe(3);
    for (const name of ['a', 'b', 'c']) fixture.leave(cachedSecret(name, 12), 13);
    fixture.arrive(cachedSecret('d', 14));
    expect(await listed(fixture)).toEqual(['d']);
  });

  it('says how many objects there are only while it vouches', async () => {
    const fixture = cacheFixture();
    const { cache, store, status } = fixture;
    for (let index = 0; index <= 5_000; index++) store.put(cachedSecret(`s${index}`, 10));
    const now = (namespace = 'ns') => cache.state(namespace, deadline, 0);
    expect(await now()).toMatchObject({ count: 5_001 });
    expect(await now('other')).toMatchObject({ count: 0 });
    status.silenceMs = 90_001;
    expect(await now()).toBe('silent');
    status.silenceMs = 0;
    status.synced = false;
    expect(await now()).toBe('notSynced');
    status.synced = true;
    cache.noteWritten(REF, '20', cache.startObservation());
    expect(await now()).toBe('behind');
    status.revision = '20';
    expect(await now()).toMatchObject({ count: 5_001 });
    expect(await now('outside')).toBe('notSynced');
  });

  it('gives a state of any size', async () => {
    const fixture = cacheFixture();
    for (let index = 0; index < 5_001; index++) fixture.arrive(cachedSecret(`a${index}`, 11 + index));
    expect(await fixture.cache.state('ns', deadline)).toMatchObject({ ageMs: 1_500, count: 5_001 });
    expect(await listed(fixture)).toHaveLength(5_001);
    expect(fixture.cache.size('ns')).toBe(5_001);
    expect(await fixture.cache.state('empty', deadline)).toMatchObject({ version: 0, count: 0 });
  });

  it('gives no state that it would not give a list of', async () => {
    const fixture = cacheFixture();
    fixture.arrive(cachedSecret('a', 11));
    fixture.cache.noteWritten(REF, '20', fixture.cache.startObservation());
    const pending = fixture.cache.state('ns', deadline);
    await fixture.clock.advance(250);
    expect(await pending).toBe('behind');
    fixture.cache.noteClusterRevision('ns', '21', fixture.cache.startObservation());
    fixture.status.revision = '21';
    expect(await fixture.cache.state('ns', deadline)).toMatchObject({ count: 1 });
    fixture.cache.markUncertain('ns');
    expect(await fixture.cache.state('ns', deadline)).toBe('uncertain');
    fixture.status.silenceMs = 90_001;
    expect(await fixture.cache.state('ns', deadline)).toBe('silent');
  });

  it('keeps no more notes than memory has space for: a live list has to take their place', async () => {
    const fixture = cacheFixture();
    const { cache } = fixture;
    cache.noteAbsent(REF);
    const absent = (index: number) => ({ namespace: `n${index % 1_000}`, name: String(index) });
    for (let index = 0; index < 99_999; index++) cache.noteAbsent(absent(index));
    expect(await listed(fixture)).toEqual([]);
    cache.noteAbsent(absent(99_999));
    expect(await listed(fixture)).toBe('uncertain');
    cache.noteList('ns', { resourceVersion: '10', items: [] }, cache.startObservation());
    expect(await listed(fixture)).toEqual([]);
  });

  it('survives questions about more namespaces than it remembers', async () => {
    const fixture = cacheFixture();
    const { cache } = fixture;
    for (let index = 0; index < 12_000; index++) cache.noteAbsent({ namespace: `n${index}`, name: 'a' });
    cache.noteWritten(REF, '20', cache.startObservation());
    expect(await listed(fixture)).toBe('behind');
  });
});
