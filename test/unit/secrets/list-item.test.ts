import { describe, expect, it } from 'vitest';
import { byName, listItemOf, newestRevision, type ListItem } from '../../../src/secrets/list-item.ts';
import { clusterWithLive } from '../history/live-secret.ts';

const { live } = clusterWithLive();

function item(change: Partial<typeof live>): ListItem {
  return listItemOf({ ...live, ...change });
}

describe('the newest revision of a list', () => {
  it.each<[what: string, revisions: string[], newest: string | undefined]>([
    ['there are no Secrets', [], undefined],
    ['it comes first', ['30', '10', '20'], '30'],
    ['it comes last', ['10', '20', '30'], '30'],
    ['it has more digits than the others', ['9', '1000', '99'], '1000'],
    ['there are numbers beyond what is safe', ['9007199254740993', '9007199254740992'], '9007199254740993'],
    ['one is no number: that one, since it can be compared with nothing', ['10', 'opaque', '20'], 'opaque'],
  ])('when %s', (_what, revisions, newest) => {
    const items = revisions.map((resourceVersion) => item({ resourceVersion }));
    expect(newestRevision(items)).toBe(newest);
  });
});

describe('the order of a list', () => {
  it('is by code unit, the same everywhere', () => {
    const unordered = ['b', 'a-b', 'a.b', 'a0', 'ab', 'a', 'a1', 'a10', 'a2'];
    const ordered = unordered.map((name) => item({ name })).sort(byName);
    expect(ordered.map(({ name }) => name)).toEqual([...unordered].sort());
  });
});
