import { describe, expect, it } from 'vitest';
import { createViews, viewOf, type NamespaceView } from '../../../src/lists/views.ts';
import { givenCache, itemOf } from './items.ts';

function setUp(cache = givenCache()) {
  const views = createViews(cache);
  const of = async (namespace = 'ns'): Promise<NamespaceView> => {
    const state = await cache.state(namespace);
    if (typeof state === 'string') throw new Error(state);
    return views.of(namespace, state);
  };
  return { cache, of };
}

const names = ({ items }: Pick<NamespaceView, 'items'>) => items.map(({ name }) => name);

describe('the view of a namespace', () => {
  it('is ordered by name, with the newest revision', async () => {
    const { of } = setUp(
      givenCache([itemOf('b', { resourceVersion: '9' }), itemOf('a', { resourceVersion: '10' })]),
    );
    const view = await of();
    expect(names(view)).toEqual(['a', 'b']);
    expect(view.newest).toBe('10');
  });

  it('is made once for each version, also for requests at the same time', async () => {
    const { of, cache } = setUp(givenCache([itemOf('a')]));
    const [first, second] = await Promise.all([of(), of()]);
    expect(second).toBe(first);
    expect(await of()).toBe(first);
    expect(cache.taken).toBe(1);
    cache.items = [itemOf('b')];
    expect(names(await of())).toEqual(['b']);
  });

  it.each<[what: string, revisions: string[], newest: string | undefined]>([
    ['there are no Secrets', [], undefined],
    ['it comes first', ['30', '10', '20'], '30'],
    ['it comes last', ['10', '20', '30'], '30'],
    ['it has more digits than the others', ['9', '1000', '99'], '1000'],
    ['there are numbers beyond what is safe', ['9007199254740993', '9007199254740992'], '9007199254740993'],
    ['one is no number: that one, since it can be compared with nothing', ['10', 'opaque', '20'], 'opaque'],
  ])('has the newest revision when %s', async (_what, revisions, newest) => {
    const items = revisions.map((resourceVersion, index) => itemOf(`s${index}`, { resourceVersion }));
    expect((await viewOf('ns', items)).newest).toBe(newest);
  });

  it('has the last changed first, where that is wanted', async () => {
    const at = (name: string, day: number) => itemOf(name, { lastModifiedAt: `2026-01-0${day}T00:00:00Z` });
    const view = await viewOf('ns', [at('a', 2), at('b', 4), at('d', 3), at('c', 3)]);
    expect(names({ items: await view.byChange() })).toEqual(['b', 'c', 'd', 'a']);
    expect(await view.byChange()).toBe(await view.byChange());
  });

  it('is dropped with the next change of its namespace', async () => {
    const { of, cache } = setUp(givenCache([itemOf('a')]));
    const first = await of();
    cache.change('other', 0);
    expect(await of()).toBe(first);
    cache.change('ns', 0);
    expect(await of()).not.toBe(first);
  });
});
