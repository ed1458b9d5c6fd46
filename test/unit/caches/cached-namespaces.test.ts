import { describe, expect, it } from 'vitest';
import { createSecretTable } from '../../../src/caches/secret-table.ts';
import { unhurriedCall } from '../../fakes/fake-call.ts';
import { budgetOf, cachedSecret, cacheFixture, type CacheFixture } from './cache-fixture.ts';

const deadline = unhurriedCall();
const stateOf = ({ cache }: CacheFixture, namespace: string) => cache.state(namespace, deadline, 0);

describe('of the namespaces the list cache', () => {
  it('names one in which a right is missing, and answers for the others', async () => {
    const status = { synced: true, revision: '5', silenceMs: 1, isForbidden: true };
    const objects = createSecretTable(budgetOf());
    const others = [{ scope: { namespace: 'gone' }, reflector: { objects, status: () => status } }];
    const fixture = cacheFixture(budgetOf(), others);
    fixture.arrive(cachedSecret('a', 11));
    expect(fixture.cache.namespaces()).toEqual(['ns', 'gone']);
    status.isForbidden = false;
    expect(fixture.cache.namespaces()).toEqual(['ns']);
    // Of the whole cluster it may not watch anything.
    fixture.status.isForbidden = true;
    expect(fixture.cache.namespaces()).toBe('notSynced');
    expect(await fixture.cache.state('ns', deadline)).toBe('notSynced');
  });

  it('names those that have Secrets, while it vouches for that', () => {
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

  it('names one that has a Secret only this replica has seen, until the watch brings or passes it', async () => {
    const fixture = cacheFixture();
    const { cache } = fixture;
    cache.noteWritten({ namespace: 'written', name: 'a' }, '20', cache.startObservation());
    cache.markUncertain('uncertain');
    const seen = { resourceVersion: '20', items: [cachedSecret('a', 15)] };
    cache.noteList('listed', seen, cache.startObservation());
    expect(cache.namespaces()).toEqual(['written', 'uncertain', 'listed']);
    expect(await stateOf(fixture, 'written')).toBe('behind');
    await fixture.clock.advance(60_000);
    cache.noteList('uncertain', { resourceVersion: '20', items: [] }, cache.startObservation());
    fixture.arrive(cachedSecret('a', 20, { namespace: 'written' }));
    expect(await stateOf(fixture, 'written')).toMatchObject({ count: 1 });
    expect(await stateOf(fixture, 'listed')).toMatchObject({ count: 0 });
    expect(cache.namespaces()).toEqual(['written']);
  });

  it('names none of which nothing was seen, however many notes it forgets', () => {
    const { cache } = cacheFixture();
    const empty = { resourceVersion: '20', items: [] };
    cache.noteList('empty', empty, cache.startObservation());
    for (let index = 0; index < 100_001; index++)
      cache.noteAbsent({ namespace: `n${index % 5}`, name: String(index) });
    cache.noteDeleted({ namespace: 'ns', name: 'a' }, 'gone', '10');
    expect(cache.namespaces()).toEqual([]);
    cache.markUncertain('n1');
    expect(cache.namespaces()).toEqual(['n1']);
  });
});
