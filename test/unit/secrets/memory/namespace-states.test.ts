import { describe, expect, it, vi } from 'vitest';
import {
  createNamespaceStates,
  type NamespaceState,
} from '../../../../src/secrets/memory/namespace-states.ts';
import { unhurriedCall } from '../../../fakes/fake-call.ts';
import { createVirtualClock } from '../../../fakes/virtual-clock.ts';
import { givenCache, itemOf } from './items.ts';

const deadline = unhurriedCall();
const MINUTE = 60_000;

function setUp(cache = givenCache()) {
  const clock = createVirtualClock();
  const states = createNamespaceStates(cache, clock);
  const of = async (namespace = 'ns'): Promise<NamespaceState> => {
    const current = await states.of(namespace, deadline);
    if (typeof current === 'string') throw new Error(current);
    return current.state;
  };
  return { cache, clock, states, of };
}

const names = ({ items }: NamespaceState) => items.map(({ name }) => name);

describe('the state of a namespace', () => {
  it('is ordered by name, with the newest revision', async () => {
    const { of } = setUp(
      givenCache([itemOf('b', { resourceVersion: '9' }), itemOf('a', { resourceVersion: '10' })]),
    );
    const state = await of();
    expect(names(state)).toEqual(['a', 'b']);
    expect(state.newest).toBe('10');
  });

  it('is the same until the cache has another, also for requests at the same time', async () => {
    const { of, cache } = setUp(givenCache([itemOf('a')]));
    const [first, second] = await Promise.all([of(), of()]);
    expect(second).toBe(first);
    expect(await of()).toBe(first);
    cache.items = [itemOf('b')];
    expect(names(await of())).toEqual(['b']);
  });

  it('is why the cache does not vouch, where it does not', async () => {
    const { states, cache } = setUp();
    cache.reason = 'silent';
    expect(await states.of('ns', deadline)).toBe('silent');
  });

  it('has the newest revision after each change', async () => {
    const [a1, b2, c3] = [1, 2, 3].map((revision) =>
      itemOf('_abc'.charAt(revision), { resourceVersion: `${revision}` }),
    );
    if (a1 === undefined || b2 === undefined || c3 === undefined) throw new Error('three items');
    const { of, cache } = setUp(givenCache([a1, b2]));
    const newest: unknown[] = [(await of()).newest];
    const opaque = itemOf('d', { resourceVersion: 'x' });
    for (const items of [
      [a1, b2, c3],
      [a1, b2],
      [a1, b2, itemOf('d')],
      [a1, itemOf('b', { resourceVersion: '1' })],
      [a1, opaque],
      [a1, c3],
    ]) {
      cache.items = items;
      newest.push((await of()).newest);
    }
    expect(newest).toEqual(['2', '3', '2', '2', '1', 'x', '3']);
  });

  it('counts the bytes that later states no longer have', async () => {
    const [a, b] = [itemOf('a'), itemOf('b')];
    const { of, cache } = setUp(givenCache([a, b]));
    const first = await of();
    expect(first.outdatedBytes()).toBe(0);
    cache.items = [a, itemOf('b', { resourceVersion: '2' })];
    const second = await of();
    expect(first.outdatedBytes()).toBe(b.json.length);
    cache.items = [];
    await of();
    expect(second.outdatedBytes()).toBe(a.json.length + b.json.length);
  });

  it('is dropped when no one has used it for ten minutes', async () => {
    const { of, cache, clock } = setUp(givenCache([itemOf('a')]));
    const known = vi.spyOn(cache, 'state');
    const first = await of();
    clock.jump(9 * MINUTE);
    expect(await of()).toBe(first);
    clock.jump(11 * MINUTE);
    await of('other');
    expect(await of()).not.toBe(first);
    expect(known.mock.lastCall?.[1]).toBeUndefined();
  });
});

describe('the digest of a state', () => {
  const digestOf = async (...items: Parameters<typeof givenCache>) =>
    (await setUp(givenCache(...items)).of()).digest.toString('hex');
  const [a1, b2] = [itemOf('a', { resourceVersion: '1' }), itemOf('b', { resourceVersion: '2' })];

  it('is the same for the same state in any order, and another after each change', async () => {
    const digest = await digestOf([a1, b2]);
    expect(await digestOf([b2, a1])).toBe(digest);
    for (const items of [
      [],
      [b2],
      [a1],
      [a1, b2, itemOf('c', { resourceVersion: '3' })],
      [itemOf('a', { resourceVersion: '3' }), b2],
      [a1, itemOf('b', { resourceVersion: '2', uid: 'another' })],
    ]) {
      expect(await digestOf(items)).not.toBe(digest);
    }
  });

  it('is never the same where revisions cannot be compared', async () => {
    const items = [itemOf('a', { resourceVersion: 'x' })];
    expect(await digestOf(items)).not.toBe(await digestOf(items));
  });
});
