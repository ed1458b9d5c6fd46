import { describe, expect, it } from 'vitest';
import {
  createRetainedViews,
  RETAINED_MS,
  MAX_RETAINED,
  viewOf,
  type NamespaceView,
} from '../../../src/lists/views.ts';
import { createVirtualClock } from '../../fakes/virtual-clock.ts';
import { givenCache, itemOf } from './items.ts';

const SOME = ['a', 'b'].map((name) => itemOf(name));

function setUp(maxBytes = 1_000_000) {
  const clock = createVirtualClock();
  const cache = givenCache();
  const retained = createRetainedViews(maxBytes, cache, clock);
  const isHeld = ({ namespace, id }: NamespaceView) => retained.find(namespace, id) !== undefined;
  return { clock, cache, retained, isHeld };
}

describe('views that are retained for further pages', () => {
  it('are found by their namespace and id, and by no other', async () => {
    const { retained } = setUp();
    const view = await viewOf('ns', SOME);
    retained.retain(view, false);
    expect(retained.find('ns', view.id)).toBe(view);
    expect(retained.find('other', view.id)).toBeUndefined();
    expect(retained.find('ns', 'another')).toBeUndefined();
  });

  it('are gone after five minutes without a page', async () => {
    const { retained, isHeld, clock } = setUp();
    const view = await viewOf('ns', SOME);
    retained.retain(view, false);
    clock.jump(RETAINED_MS - 1);
    retained.retain(view, false);
    clock.jump(RETAINED_MS - 1);
    expect(isHeld(view)).toBe(true);
    clock.jump(1);
    expect(isHeld(view)).toBe(false);
    expect(retained.bytes()).toBe(0);
  });

  it('are at most so many', async () => {
    const { retained, isHeld } = setUp();
    const views = await Promise.all(Array.from({ length: MAX_RETAINED + 1 }, () => viewOf('ns', SOME)));
    for (const view of views) retained.retain(view, false);
    expect(views.filter(isHeld)).toEqual(views.slice(1));
  });

  it('are dropped beyond the bytes that only they keep, the oldest of the namespace that takes most first', async () => {
    const { retained, isHeld, cache } = setUp(10_000);
    const [quiet, first, second] = await Promise.all(['quiet', 'ns', 'ns'].map((ns) => viewOf(ns, SOME)));
    if (quiet === undefined || first === undefined || second === undefined) throw new Error('three views');
    retained.retain(quiet, false);
    retained.retain(first, false);
    cache.change('ns', 5_000);
    retained.retain(second, false);
    expect([quiet, first, second].map(isHeld)).toEqual([true, true, true]);
    expect(retained.bytes()).toBeGreaterThan(5_000);
    cache.change('ns', 5_000);
    expect([quiet, first, second].map(isHeld)).toEqual([true, false, true]);
    expect(retained.bytes()).toBeLessThanOrEqual(10_000);
    cache.change('ns', Number.MAX_SAFE_INTEGER);
    expect([quiet, second].map(isHeld)).toEqual([true, false]);
  });

  it('of a live list count all that they have', async () => {
    const { retained, isHeld } = setUp(10_000);
    const long = await viewOf('ns', [itemOf('a', { description: 'x'.repeat(20_000) })]);
    retained.retain(long, false);
    expect(isHeld(long)).toBe(true);
    const live = await viewOf('other', [...long.items]);
    retained.retain(live, true);
    expect(isHeld(live)).toBe(false);
  });
});
