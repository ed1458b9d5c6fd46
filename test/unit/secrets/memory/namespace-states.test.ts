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

  it('has the facts of each Secret, and takes those of unchanged ones from the state before', async () => {
    const a = itemOf('a', { keys: ['Token'], description: 'Of A', type: 't' });
    const { of, cache } = setUp(givenCache([a, itemOf('b')]));
    const changed = [Date.parse('2026-01-01T00:00:00Z'), Date.parse('2026-01-01T00:00:00Z')];
    expect(await (await of()).facts()).toEqual({
      texts: ['a\ntoken\nof a', 'b\n'],
      types: ['t', 'Opaque'],
      changed,
    });
    const parse = vi.spyOn(JSON, 'parse');
    cache.items = [
      itemOf('0'),
      a,
      itemOf('b', { resourceVersion: '2', lastModifiedAt: '2026-01-02T00:00:00Z' }),
    ];
    const facts = await (await of()).facts();
    expect(parse).toHaveBeenCalledTimes(2);
    parse.mockRestore();
    expect(facts.texts).toEqual(['0\n', 'a\ntoken\nof a', 'b\n']);
    expect(facts.types).toEqual(['Opaque', 't', 'Opaque']);
    expect(facts.changed[2]).toBe(Date.parse('2026-01-02T00:00:00Z'));
  });

  it('takes nothing over from another Secret of the same name', async () => {
    const { of, cache } = setUp(givenCache([itemOf('a', { description: 'old' })]));
    await (await of()).facts();
    cache.items = [itemOf('a', { uid: 'another', description: 'new' })];
    expect((await (await of()).facts()).texts).toEqual(['a\nnew']);
  });

  it('makes no facts before someone needs them', async () => {
    const parse = vi.spyOn(JSON, 'parse');
    const { of, cache } = setUp(givenCache([itemOf('a')]));
    await of();
    cache.items = [itemOf('b')];
    await of();
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
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
