import { describe, expect, it } from 'vitest';
import {
  createKeptResults,
  KEPT_MS,
  MOST_KEPT,
  MOST_KEPT_OF_ONE,
  type KeptResult,
  type PageResult,
} from '../../../../src/secrets/memory/kept-results.ts';
import type { NamespaceState } from '../../../../src/secrets/memory/namespace-states.ts';
import { digestOf } from '../../../../src/secrets/memory/page-token.ts';
import { createVirtualClock } from '../../../fakes/virtual-clock.ts';
import { itemOf } from './items.ts';

let next = 0;

function stateOf(given: Partial<NamespaceState> = {}): NamespaceState {
  return {
    namespace: `ns-${++next}`,
    items: [],
    newest: undefined,
    digest: digestOf(`${next}`),
    outdatedBytes: () => 0,
    ...given,
  };
}

const resultOf = (given: Partial<PageResult> = {}): PageResult => ({
  state: stateOf(),
  query: digestOf('q'),
  access: digestOf('access'),
  positions: new Uint32Array(1),
  canCreate: true,
  ...given,
});

function setUp(maxBytes = 1_000_000) {
  const clock = createVirtualClock();
  const results = createKeptResults(maxBytes, clock);
  const find = ({ id, access }: KeptResult, other: Buffer = access) =>
    results.find({ id, offset: 0, state: digestOf('s'), query: digestOf('q'), access: other });
  return { clock, results, find };
}

describe('results that are kept for further pages', () => {
  it('are found by their id and access, and by no other', () => {
    const { results, find } = setUp();
    const kept = results.keep('someone', resultOf());
    expect(find(kept)).toBe(kept);
    expect(find(kept, digestOf('another access'))).toBeUndefined();
    expect(find({ ...kept, id: Buffer.alloc(16) })).toBeUndefined();
  });

  it('are one for one state, query and access', () => {
    const { results } = setUp();
    const result = resultOf();
    const kept = results.keep('someone', result);
    expect(results.keep('someone', { ...result })).toBe(kept);
    expect(results.same(result.state, result)).toBe(kept);
    for (const other of [{ query: digestOf('r') }, { access: digestOf('r') }, { state: stateOf() }]) {
      const wanted = { ...result, ...other };
      expect(results.same(wanted.state, wanted)).toBeUndefined();
      expect(results.keep('someone', wanted).id).not.toEqual(kept.id);
    }
  });

  it('are gone after five minutes', () => {
    const { results, find, clock } = setUp();
    const kept = results.keep('someone', resultOf());
    clock.jump(KEPT_MS - 1);
    expect(find(kept)).toBe(kept);
    clock.jump(1);
    expect(find(kept)).toBeUndefined();
    expect(results.bytes()).toBe(0);
  });

  it('are at most so many of one person, who pushes out their own', () => {
    const { results, find } = setUp();
    const others = results.keep('another', resultOf());
    const first = results.keep('someone', resultOf());
    for (let count = 0; count < MOST_KEPT_OF_ONE; count++) results.keep('someone', resultOf());
    expect(find(first)).toBeUndefined();
    expect(find(others)).toBe(others);
  });

  it('are at most so many of all people', () => {
    const { results, find } = setUp();
    const first = results.keep('0', resultOf());
    for (let count = 1; count <= MOST_KEPT; count++) results.keep(`${count}`, resultOf());
    expect(find(first)).toBeUndefined();
  });

  it.each([
    ['their own', () => resultOf({ positions: new Uint32Array(1_000) })],
    [
      'of their states',
      () => resultOf({ state: stateOf({ items: Array<never>(500).fill(itemOf('a') as never) }) }),
    ],
    ['that only they still keep', () => resultOf({ state: stateOf({ outdatedBytes: () => 4_000 }) })],
  ])('are dropped, the oldest first, beyond the bytes %s', (_what, large) => {
    const { results, find } = setUp(10_000);
    const kept = [1, 2, 3].map((person) => results.keep(String(person), large()));
    expect(kept.map((one) => find(one) !== undefined)).toEqual([false, true, true]);
    expect(results.bytes()).toBeLessThanOrEqual(10_000);
    expect(results.bytes()).toBeGreaterThan(8_000);
  });

  it('are not kept where one alone is over the bytes', () => {
    const { results, find } = setUp(1_000);
    expect(find(results.keep('someone', resultOf({ positions: new Uint32Array(1_000) })))).toBeUndefined();
  });

  it('of one namespace count what is outdated once', () => {
    const { results } = setUp();
    for (const [index, outdated] of [4_000, 1_000].entries()) {
      const state = stateOf({ namespace: 'ns', outdatedBytes: () => outdated });
      results.keep(String(index), resultOf({ state }));
    }
    expect(results.bytes()).toBeLessThan(4_000 + 1_500);
    expect(results.bytes()).toBeGreaterThan(4_000);
  });
});
