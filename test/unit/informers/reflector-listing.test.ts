import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src/errors/service-error.ts';
import { down, expired, reflectorFixture } from './reflector-fixture.ts';
import { page, thing } from './scripted-source.ts';

describe('listing', () => {
  it('lists page by page, follows the continue tokens, and takes up to 500 objects of a kilobyte at once', async () => {
    const { source, start, stored } = reflectorFixture();
    source.pages = [
      page(10, [thing('a', 1)], 'second', 1_024),
      page(10, [thing('b', 2)], 'third', 1_024),
      page(10, [thing('c', 3)], undefined, 1_024),
    ];
    await start();
    const maxBytes = 2 * 1_048_576;
    expect(source.lists).toEqual([
      { limit: 500, maxBytes },
      { limit: 500, maxBytes, continueToken: 'second' },
      { limit: 500, maxBytes, continueToken: 'third' },
    ]);
    expect(stored()).toEqual(['a', 'b', 'c']);
  });

  it('requests pages of about a mebibyte where objects are large, and goes on after an empty one', async () => {
    const { source, start } = reflectorFixture();
    const things = [thing('a', 1), thing('b', 2)];
    source.pages = [
      page(10, things, '2', 2 * 11_000),
      page(10, [], '3', 200),
      page(10, things, '4', 2 * 300_000),
      page(10, things, '5', 2 * 3_000_000),
      page(10, things, '6', 2 * 11_000),
      page(10, things),
    ];
    await start();
    expect(source.lists.map(({ limit }) => limit)).toEqual([500, 95, 95, 3, 1, 95]);
  });

  it('keeps nothing of a list whose continue token expired, and starts it over', async () => {
    const { source, clock, start, stored, counted } = reflectorFixture();
    source.pages = [page(10, [thing('old', 1)], 'next'), expired(), page(20, [thing('new', 11)])];
    await start();
    expect(stored()).toEqual([]);
    await clock.advance(500);
    expect(stored()).toEqual(['new']);
    expect(counted).toEqual(['relist:listAgain']);
    expect(source.lastWatch().revision).toBe('20');
  });

  it('starts over when two pages are of different revisions', async () => {
    const { source, clock, start, stored } = reflectorFixture();
    source.pages = [page(10, [thing('a', 1)], 'next'), page(11, []), page(12, [thing('b', 2)])];
    await start();
    await clock.advance(500);
    expect(stored()).toEqual(['b']);
  });

  it('starts over when a continue token leads to itself', async () => {
    const { source, clock, start, stored } = reflectorFixture();
    source.pages = [page(10, [], 'same'), page(10, [], 'same'), page(12, [thing('b', 2)])];
    await start();
    await clock.advance(500);
    expect(stored()).toEqual(['b']);
  });

  it('requests an eighth of the objects when a page is too large', async () => {
    const { source, start, stored } = reflectorFixture();
    const tooLarge = new ServiceError('responseTooLarge', 'too large');
    source.pages = [tooLarge, tooLarge, page(10, [thing('a', 1)], 'next'), page(10, [thing('b', 2)])];
    await start();
    expect(source.lists.map(({ limit }) => limit)).toEqual([500, 62, 7, 500]);
    expect(stored()).toEqual(['a', 'b']);
  });

  it('backs off further with each failure, and lists in the end', async () => {
    const { source, clock, start, stored } = reflectorFixture();
    source.pages = [down(), down(), down(), page(10, [thing('a', 1)])];
    await start();
    const waits: (number | undefined)[] = [];
    while (source.lists.length < 4) {
      waits.push(clock.waits()[0]);
      await clock.advance(clock.waits()[0] ?? 0);
    }
    expect(waits).toEqual([500, 1_000, 2_000]);
    expect(stored()).toEqual(['a']);
  });

  it('spreads the waits over their upper half', async () => {
    const { source, clock, start } = reflectorFixture({ random: () => 0 });
    source.pages = [down()];
    await start();
    expect(clock.waits()).toEqual([250]);
  });

  it('waits no longer than half a minute', async () => {
    const { source, clock, start } = reflectorFixture();
    source.pages = [down()];
    await start();
    await clock.advance(600_000);
    expect(clock.waits()[0]).toBeLessThanOrEqual(30_000);
    expect(source.lists.length).toBeGreaterThan(20);
  });

  it('waits as long as the cluster requests', async () => {
    const { source, clock, start } = reflectorFixture();
    source.pages = [down(7)];
    await start();
    expect(clock.waits()).toEqual([7_000]);
  });
});
