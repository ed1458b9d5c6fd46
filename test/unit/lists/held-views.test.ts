import { describe, expect, it } from 'vitest';
import { createHeldViews, HELD_MS, MOST_HELD } from '../../../src/lists/held-views.ts';
import { viewOf, type NamespaceView } from '../../../src/lists/views.ts';
import { createVirtualClock } from '../../fakes/virtual-clock.ts';
import { givenCache, itemOf } from './items.ts';

const SOME = ['a', 'b'].map((name) => itemOf(name));

function setUp(maxBytes = 1_000_000) {
  const clock = createVirtualClock();
  const cache = givenCache();
  const held = createHeldViews(maxBytes, cache, clock);
  const isHeld = ({ namespace, id }: NamespaceView) => held.find(namespace, id) !== undefined;
  return { clock, cache, held, isHeld };
}

describe('views that are held for further pages', () => {
  it('are found by their namespace and id, and by no other', async () => {
    const { held } = setUp();
    const view = await viewOf('ns', SOME);
    held.hold(view, false);
    expect(held.find('ns', view.id)).toBe(view);
    expect(held.find('other', view.id)).toBeUndefined();
    expect(held.find('ns', Buffer.alloc(8))).toBeUndefined();
  });

  it('are gone after five minutes without a page', async () => {
    const { held, isHeld, clock } = setUp();
    const view = await viewOf('ns', SOME);
    held.hold(view, false);
    clock.jump(HELD_MS - 1);
    held.hold(view, false);
    clock.jump(HELD_MS - 1);
    expect(isHeld(view)).toBe(true);
    clock.jump(1);
    expect(isHeld(view)).toBe(false);
    expect(held.bytes()).toBe(0);
  });

  it('are at most so many', async () => {
    const { held, isHeld } = setUp();
    const views = await Promise.all(Array.from({ length: MOST_HELD + 1 }, () => viewOf('ns', SOME)));
    for (const view of views) held.hold(view, false);
    expect(views.filter(isHeld)).toEqual(views.slice(1));
  });

  it('are dropped beyond the bytes that only they keep, the oldest of the namespace that takes most first', async () => {
    const { held, isHeld, cache } = setUp(10_000);
    const [quiet, first, second] = await Promise.all(['quiet', 'ns', 'ns'].map((ns) => viewOf(ns, SOME)));
    if (quiet === undefined || first === undefined || second === undefined) throw new Error('three views');
    held.hold(quiet, false);
    held.hold(first, false);
    cache.change('ns', 5_000);
    held.hold(second, false);
    expect([quiet, first, second].map(isHeld)).toEqual([true, true, true]);
    expect(held.bytes()).toBeGreaterThan(5_000);
    cache.change('ns', 5_000);
    expect([quiet, first, second].map(isHeld)).toEqual([true, false, true]);
    expect(held.bytes()).toBeLessThanOrEqual(10_000);
    cache.change('ns', Number.MAX_SAFE_INTEGER);
    expect([quiet, second].map(isHeld)).toEqual([true, false]);
  });

  it('of a live list count all that they have', async () => {
    const { held, isHeld } = setUp(10_000);
    const long = await viewOf('ns', [itemOf('a', { description: 'x'.repeat(20_000) })]);
    held.hold(long, false);
    expect(isHeld(long)).toBe(true);
    const live = await viewOf('other', [...long.items]);
    held.hold(live, true);
    expect(isHeld(live)).toBe(false);
  });
});
