import { describe, expect, it } from 'vitest';
import { ListExpired } from '../../../src/kube/read-pages.ts';
import type { Page } from '../../../src/kube/page.ts';
import { settled } from '../../fakes/virtual-clock.ts';
import { down, expired, reflectorFixture } from './reflector-fixture.ts';
import { page, thing, type Thing } from './scripted-source.ts';

const expiredWithRest = () => new ListExpired('gone', 'clusterExpired', 'rest');

/** A reflector that has the first page of a list, and waits for the second. */
async function halfListed() {
  const fixture = reflectorFixture();
  const second = Promise.withResolvers<Page<Thing>>();
  fixture.source.pages = [page(10, [thing('a', 1), thing('b', 2)], 'second'), second.promise, page(90, [])];
  await fixture.start();
  return { ...fixture, second };
}

describe('a list of several pages', () => {
  it('is followed by a watch from its first page on, so that it may take any time', async () => {
    const { source, second, stored, reflector, clock, changes, counted } = await halfListed();
    expect(source.lastWatch().revision).toBe('10');
    source
      .lastWatch()
      .send(
        { kind: 'modified', item: thing('a', 11, { text: 'a2' }) },
        { kind: 'deleted', item: thing('b', 12) },
        { kind: 'deleted', item: thing('c', 13) },
        { kind: 'modified', item: thing('d', 14, { text: 'd2' }) },
        { kind: 'added', item: thing('e', 15) },
      );
    await settled();
    expect([stored(), reflector.status().synced, reflector.status().revision]).toEqual([
      [],
      false,
      undefined,
    ]);
    second.resolve(page(10, [thing('c', 3), thing('d', 4)]));
    await settled();
    expect(stored()).toEqual(['a2', 'd2', 'e']);
    expect(changes).toEqual(['added:a2', 'added:d2', 'added:e']);
    expect(counted.at(-1)).toBe('relist:start');
    expect(reflector.status()).toMatchObject({ synced: true, revision: '15' });
    source.lastWatch().send({ kind: 'deleted', item: thing('e', 16) });
    await clock.advance(1);
    expect(stored()).toEqual(['a2', 'd2']);
    expect([source.watches.length, source.lists.length]).toEqual([1, 2]);
  });

  it('leaves the store as it was until it is whole', async () => {
    const { source, clock, second, stored, changes, reflector } = await halfListed();
    second.resolve(page(10, []));
    await settled();
    const rest = Promise.withResolvers<Page<Thing>>();
    source.pages = [page(20, [thing('a', 1)], 'rest'), rest.promise];
    changes.length = 0;
    source.lastWatch().fail(expired());
    await clock.advance(30_000);
    source.lastWatch().send({ kind: 'added', item: thing('c', 21) });
    await settled();
    expect([stored(), changes]).toEqual([['a', 'b'], []]);
    // What arrives says nothing of what is held.
    expect(reflector.status()).toMatchObject({ synced: true, revision: undefined });
    expect(reflector.status().silenceMs).toBeGreaterThanOrEqual(30_000);
    rest.resolve(page(20, []));
    await settled();
    expect(stored()).toEqual(['a', 'c']);
    expect(changes).toEqual(['deleted:b', 'added:c']);
    expect(reflector.status()).toMatchObject({ revision: '21', silenceMs: 0 });
  });

  it('goes on with what exists when its token expires, and is whole once the watch has reached that', async () => {
    const { source, second, stored, reflector } = await halfListed();
    source.pages = [page(50, [thing('c', 45, { text: 'c45' }), thing('z', 2)])];
    second.reject(expiredWithRest());
    await settled();
    expect(source.lists.at(-1)).toMatchObject({ continueToken: 'rest' });
    expect([stored(), reflector.status().synced]).toEqual([[], false]);
    source
      .lastWatch()
      .send(
        { kind: 'modified', item: thing('c', 20, { text: 'c20' }) },
        { kind: 'deleted', item: thing('a', 30) },
        { kind: 'deleted', item: thing('c', 40) },
        { kind: 'added', item: thing('c', 45, { text: 'c45' }) },
      );
    await settled();
    expect(reflector.status().synced).toBe(false);
    source.lastWatch().send({ kind: 'bookmark', resourceVersion: '50' });
    await settled();
    expect(stored()).toEqual(['b', 'c45', 'z']);
    expect(reflector.status()).toMatchObject({ synced: true, revision: '50' });
  });

  it('survives a watch that breaks meanwhile', async () => {
    const { source, clock, second, stored } = await halfListed();
    source.lastWatch().send({ kind: 'added', item: thing('e', 15) });
    await settled();
    source.lastWatch().fail(down());
    await clock.advance(500);
    expect(source.lastWatch().revision).toBe('15');
    second.resolve(page(10, [thing('c', 3)]));
    await settled();
    expect(stored()).toEqual(['a', 'b', 'c', 'e']);
  });

  it.each([
    [
      'a page fails',
      (second: PromiseWithResolvers<Page<Thing>>) => {
        second.reject(down());
      },
    ],
    [
      'its token expires and the cluster gives no other',
      (second: PromiseWithResolvers<Page<Thing>>) => {
        second.reject(expired());
      },
    ],
  ])('is begun again when %s', async (_what, happens) => {
    const { source, clock, second, stored } = await halfListed();
    source.lastWatch().send({ kind: 'added', item: thing('e', 15) });
    await settled();
    source.pages = [page(20, [thing('n', 18)])];
    happens(second);
    await clock.advance(500);
    expect(source.watches[0]?.aborted).toBe(true);
    expect(stored()).toEqual(['n']);
    expect(source.lastWatch().revision).toBe('20');
  });

  it('is begun again when the watch has expired', async () => {
    const { source, clock, second, stored } = await halfListed();
    source.pages = [page(20, [thing('n', 18)])];
    source.lastWatch().fail(expired());
    await clock.advance(500);
    second.resolve(page(10, [thing('c', 3)])); // of the list that was given up
    await settled();
    expect(stored()).toEqual(['n']);
  });

  it('is given up at the end', async () => {
    const { source, second, stop, stored } = await halfListed();
    await stop();
    second.resolve(page(10, [thing('c', 3)], 'third'));
    await settled();
    expect([source.lists.length, stored()]).toEqual([2, []]);
  });
});
