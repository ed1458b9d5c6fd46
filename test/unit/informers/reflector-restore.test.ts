import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src/errors/service-error.ts';
import { settled } from '../../fakes/virtual-clock.ts';
import { down, expired, reflectorFixture, type FixtureOptions } from './reflector-fixture.ts';
import { page, thing } from './scripted-source.ts';

/** A reflector that holds a list and has seen revision 50. */
async function synced(options: FixtureOptions = {}) {
  const fixture = reflectorFixture(options);
  fixture.source.pages = [page(10, [thing('a', 1), thing('b', 2)])];
  await fixture.start();
  fixture.source.lastWatch().send({ kind: 'bookmark', resourceVersion: '50' });
  await settled();
  fixture.source.pages = [page(30, [thing('a', 1, { text: 'other' })])];
  return fixture;
}

describe('a restored cluster', () => {
  it('is noticed by a bookmark below what was seen: everything is dropped and listed again', async () => {
    const { source, clock, stored, counted, reflector } = await synced();
    source.lastWatch().send({ kind: 'bookmark', resourceVersion: '29' });
    await settled();
    expect([stored(), reflector.status().synced]).toEqual([[], false]);
    await clock.advance(500);
    // The same uid at the same revision may be another state.
    expect(stored()).toEqual(['other']);
    expect(reflector.status()).toMatchObject({ synced: true, revision: '30' });
    expect(counted).toEqual([
      'relist:start',
      'event:bookmark',
      'event:bookmark',
      'restored',
      'relist:restored',
    ]);
  });

  it('is noticed by a list below what was seen', async () => {
    const { source, clock, stored, counted } = await synced();
    source.lastWatch().fail(expired());
    await clock.advance(500);
    expect([stored(), counted.at(-1)]).toEqual([[], 'restored']);
    await clock.advance(1_000);
    expect([stored(), counted.at(-1)]).toEqual([['other'], 'relist:restored']);
  });

  it.each(['breaks', 'is silent'])('is noticed by its revision when the watch %s', async (how) => {
    const { source, clock, stored, counted } = await synced({ probes: true });
    if (how === 'breaks') source.lastWatch().fail(down());
    else await clock.advance(90_000);
    await clock.advance(500);
    expect(source.lists.at(-1)).toMatchObject({ limit: 1 });
    expect([stored(), counted.at(-1)]).toEqual([[], 'restored']);
    await clock.advance(2_000);
    expect(stored()).toEqual(['other']);
  });

  it('is not suspected where the revision is what was seen, or later', async () => {
    const { source, clock, stored, counted } = await synced({ probes: true });
    source.pages = [page(50, []), page(51, [])];
    for (const _round of [1, 2]) {
      source.lastWatch().fail(down());
      await clock.advance(1_000);
    }
    expect(source.lastWatch().revision).toBe('50');
    expect([stored(), counted.includes('restored')]).toEqual([['a', 'b'], false]);
  });

  it('does not keep the watch waiting where the revision cannot be read without the right', async () => {
    const { source, clock } = await synced({ probes: true });
    source.pages = [new ServiceError('rbacForbidden', 'no right')];
    source.lastWatch().fail(down());
    await clock.advance(500);
    expect(source.watches.map(({ revision }) => revision)).toEqual(['10', '50']);
  });

  it('is reported by another reflector: the store is dropped immediately', async () => {
    const { source, clock, stored, reflector, counted } = await synced();
    reflector.drop();
    expect([stored(), reflector.status().synced]).toEqual([[], false]);
    source.lastWatch().send({ kind: 'added', item: thing('late', 51) });
    await settled();
    expect(stored()).toEqual(['other']);
    await clock.advance(500);
    expect(counted).toEqual(['relist:start', 'event:bookmark', 'relist:restored']);
  });
});
